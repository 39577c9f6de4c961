import type { Writer } from '../database.ts'
import { clearEpochStatic, updateSummary } from '../tables/adventures.ts'
import { markMemoriesStale } from '../tables/memory/memories.ts'
import { deleteSummariesFrom } from '../tables/memory/summaries.ts'

/** The text of an action has changed: stops using the memories and summaries that were made from it. */
export function invalidateFrom(tx: Writer, adventureId: number, index: number): void {
  markMemoriesStale(tx, adventureId, index)
  rewindSummary(tx, adventureId, index)
}

/** Goes back to the newest summary that covers only actions before `index`. */
export function rewindSummary(tx: Writer, adventureId: number, index: number): void {
  const remaining = deleteSummariesFrom(tx, adventureId, index)
  if (remaining === null) return
  updateSummary(tx, adventureId, remaining)
  clearEpochStatic(tx, adventureId)
}
