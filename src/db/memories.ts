import type { Writer } from './database.ts'

/**
 * Removes the memories that reach past `lastIndex`, the index at which the story will end, and moves the position
 * back to where they began (specification 3, "Undo"). Called while the actions that they cover are still there.
 */
export function pruneMemories(tx: Writer, adventureId: number, lastIndex: number): void {
  const pruned = tx.get<{ first: number | null; last: number | null }>(
    'SELECT min(source_start) AS first, max(source_end) AS last FROM memories WHERE adventure_id = ? AND source_end > ?',
    adventureId,
    lastIndex,
  )
  if (pruned === null || pruned.first === null || pruned.last === null) return
  tx.run('DELETE FROM memories WHERE adventure_id = ? AND source_end > ?', adventureId, lastIndex)
  // The position counts the actions that have text.
  tx.run(
    `UPDATE adventures SET memory_cursor = max(0, memory_cursor - (
        SELECT count(*) FROM actions WHERE adventure_id = ?1 AND "index" BETWEEN ?2 AND ?3 AND trim(text, ?4) <> ''))
      WHERE id = ?1`,
    adventureId,
    pruned.first,
    pruned.last,
    BLANKS,
  )
}

/** No position may stand behind the end of the story. */
export function clampCursors(tx: Writer, adventureId: number): void {
  tx.run(
    `UPDATE adventures SET memory_cursor = min(memory_cursor, action_count), summary_cursor = min(summary_cursor, action_count)
      WHERE id = ?`,
    adventureId,
  )
}

const BLANKS = ' \t\r\n'
