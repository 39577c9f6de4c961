import type { Bookmark } from '../../domain/bookmark.ts'
import { storedTime } from '../column-values.ts'
import type { Reader, Writer } from '../database.ts'

// Ids of undone actions are reused, so the creation time decides whether a bookmark belongs to an action.
const JOIN_ACTION =
  'JOIN actions a ON a.id = b.action_id AND a.adventure_id = b.adventure_id AND a.created_at = b.action_created_at'

const EXCERPT_LENGTH = 400

export function listBookmarks(reader: Reader, adventureId: number): Bookmark[] {
  return reader.all<Bookmark>(
    `SELECT b.action_id, a."index", b.name, substr(a.text, 1, ${EXCERPT_LENGTH}) AS text
       FROM bookmarks b ${JOIN_ACTION}
      WHERE b.adventure_id = ? ORDER BY a."index", a.id`,
    adventureId,
  )
}

export function listBookmarkPositions(
  reader: Reader,
  adventureIds: readonly number[],
): { adventure_id: number; index: number; name: string }[] {
  return reader.all(
    `SELECT b.adventure_id, a."index", b.name FROM bookmarks b ${JOIN_ACTION}
      WHERE b.adventure_id IN (SELECT value FROM json_each(?)) ORDER BY a."index"`,
    JSON.stringify(adventureIds),
  )
}

export function listBookmarkedIds(reader: Reader, adventureId: number): Set<number> {
  const ids = reader.column<number>(
    `SELECT b.action_id FROM bookmarks b ${JOIN_ACTION} WHERE b.adventure_id = ?`,
    adventureId,
  )
  return new Set(ids)
}

export function upsertBookmark(
  tx: Writer,
  adventureId: number,
  { action_id, name }: Pick<Bookmark, 'action_id' | 'name'>,
  now: Date,
): void {
  tx.run(
    `INSERT OR REPLACE INTO bookmarks (action_id, adventure_id, action_created_at, name, created_at)
     SELECT id, adventure_id, created_at, ?, ? FROM actions WHERE id = ? AND adventure_id = ?`,
    name,
    storedTime(now),
    action_id,
    adventureId,
  )
}

export function deleteBookmark(tx: Writer, actionId: number): void {
  tx.run('DELETE FROM bookmarks WHERE action_id = ?', actionId)
}

export function copyBookmarks(tx: Writer, id: number, copy: number): void {
  tx.run(
    `INSERT OR IGNORE INTO bookmarks (action_id, adventure_id, action_created_at, name, created_at)
     SELECT n.id, n.adventure_id, n.created_at, b.name, b.created_at
       FROM bookmarks b ${JOIN_ACTION}
       JOIN actions n ON n.adventure_id = ? AND n."index" = a."index"
      WHERE b.adventure_id = ?`,
    copy,
    id,
  )
}
