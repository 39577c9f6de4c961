import type { Writer } from '../database.ts'
import { IS_TOLD } from '../tables/actions/passages.ts'
import { clearEpochStatic, updateSummary } from '../tables/adventures.ts'
import { markMemoriesStale } from '../tables/memory/memories.ts'
import { deleteSummariesFrom } from '../tables/memory/summaries.ts'

/** Stops using the memories and summaries that were made from a text. */
export function invalidateFrom(tx: Writer, adventureId: number, index: number): void {
  markMemoriesStale(tx, adventureId, index)
  rewindSummary(tx, adventureId, index)
  beginWindowWith(tx, adventureId, index)
}

/** A window that begins with the first passage in prompts begins with the changed one, if that is before it. */
function beginWindowWith(tx: Writer, adventureId: number, index: number): void {
  tx.run(
    `UPDATE adventures SET epoch_start = ?2 WHERE id = ?1 AND epoch_start > ?2 AND NOT EXISTS
       (SELECT 1 FROM actions WHERE adventure_id = ?1 AND "index" < epoch_start AND "index" <> ?2 AND ${IS_TOLD})`,
    adventureId,
    index,
  )
}

export function rewindSummary(tx: Writer, adventureId: number, index: number): void {
  const remaining = deleteSummariesFrom(tx, adventureId, index)
  if (remaining === null) return
  updateSummary(tx, adventureId, remaining)
  clearEpochStatic(tx, adventureId)
}
