import type { Bookmark } from '../../domain/bookmark.ts'
import type { Reader, Writer } from '../database.ts'
import { storedTime } from '../stored.ts'

// The id of an undone action is given again: a mark is of the passage that was told when it was set.
const OF_ITS_PASSAGE =
  'JOIN actions a ON a.id = b.action_id AND a.adventure_id = b.adventure_id AND a.created_at = b.action_created_at'

/** Characters of a passage that a list needs. */
const SHOWN = 400

/** The marked passages of a story, in its order. */
export function listBookmarks(reader: Reader, adventureId: number): Bookmark[] {
  return reader.all<Bookmark>(
    `SELECT b.action_id, a."index", b.name, substr(a.text, 1, ${SHOWN}) AS text
       FROM bookmarks b ${OF_ITS_PASSAGE}
      WHERE b.adventure_id = ? ORDER BY a."index", a.id`,
    adventureId,
  )
}

/** Marks a passage, or gives its mark another name. */
export function setBookmark(
  tx: Writer,
  adventureId: number,
  actionId: number,
  name: string,
  now: Date,
): void {
  tx.run(
    `INSERT OR REPLACE INTO bookmarks (action_id, adventure_id, action_created_at, name, created_at)
     SELECT id, adventure_id, created_at, ?, ? FROM actions WHERE id = ? AND adventure_id = ?`,
    name,
    storedTime(now),
    actionId,
    adventureId,
  )
}

export function deleteBookmark(tx: Writer, actionId: number): void {
  tx.run('DELETE FROM bookmarks WHERE action_id = ?', actionId)
}

/** Takes the marks of a story along into its copy. */
export function copyBookmarks(tx: Writer, id: number, copy: number): void {
  tx.run(
    `INSERT OR IGNORE INTO bookmarks (action_id, adventure_id, action_created_at, name, created_at)
     SELECT n.id, n.adventure_id, n.created_at, b.name, b.created_at
       FROM bookmarks b ${OF_ITS_PASSAGE}
       JOIN actions n ON n.adventure_id = ? AND n."index" = a."index"
      WHERE b.adventure_id = ?`,
    copy,
    id,
  )
}
