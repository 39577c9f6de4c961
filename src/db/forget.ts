import { thawEpoch, updateSummary } from './tables/adventures.ts'
import type { Writer } from './database.ts'
import { staleMemories } from './tables/memories.ts'
import { pruneSummaries } from './tables/summaries.ts'

/** The words of an action are no longer what they were: what was made from them is told no more. */
export function forget(tx: Writer, adventureId: number, index: number): void {
  staleMemories(tx, adventureId, index)
  takeBackSummary(tx, adventureId, index)
}

/** Goes back to the newest summary that tells of nothing from `index` on. */
export function takeBackSummary(tx: Writer, adventureId: number, index: number): void {
  const before = pruneSummaries(tx, adventureId, index)
  if (before === null) return
  updateSummary(tx, adventureId, before)
  thawEpoch(tx, adventureId)
}
