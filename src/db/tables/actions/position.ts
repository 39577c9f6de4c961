import type { Reader } from '../../database.ts'

/** Rows of old files may share an index; then the id decides. */
export interface ActionPosition {
  index: number
  id: number
}

/** Before the start of every story: in files of the earlier release, the first index may be any number. */
export const FIRST_POSITION: ActionPosition = { index: Number.MIN_SAFE_INTEGER, id: 0 }

export const LAST_POSITION: ActionPosition = { index: Number.MAX_SAFE_INTEGER, id: 0 }

export function findPosition(reader: Reader, adventureId: number, id: number): ActionPosition | null {
  return reader.get<ActionPosition>(
    'SELECT "index", id FROM actions WHERE id = ? AND adventure_id = ?',
    id,
    adventureId,
  )
}

/** Null at the end of the story. */
export function findNext(
  reader: Reader,
  adventureId: number,
  { index, id }: ActionPosition,
): ActionPosition | null {
  return reader.get<ActionPosition>(
    `SELECT "index", id FROM actions WHERE adventure_id = ? AND ("index", id) > (?, ?) ORDER BY "index", id LIMIT 1`,
    adventureId,
    index,
    id,
  )
}

/** The first of several with this index; null if there is none. */
export function findAt(reader: Reader, adventureId: number, index: number): number | null {
  return reader.value(
    'SELECT id FROM actions WHERE adventure_id = ? AND "index" = ? ORDER BY id LIMIT 1',
    adventureId,
    index,
  )
}

/** Null in an empty story. */
export function findFirst(reader: Reader, adventureId: number): ActionPosition | null {
  return findNext(reader, adventureId, FIRST_POSITION)
}

/** Null if there is no action `offset` after it. */
export function findFollowing(
  reader: Reader,
  adventureId: number,
  id: number,
  offset: number,
): number | null {
  const position = findPosition(reader, adventureId, id)
  if (position === null) return null
  return reader.value(
    `SELECT id FROM actions WHERE adventure_id = ? AND ("index", id) > (?, ?) ORDER BY "index", id LIMIT 1 OFFSET ?`,
    adventureId,
    position.index,
    position.id,
    offset - 1,
  )
}

export function listPositions(
  reader: Reader,
  adventureId: number,
  { index, id }: ActionPosition,
  count: number,
): ActionPosition[] {
  return reader.all<ActionPosition>(
    `SELECT "index", id FROM actions WHERE adventure_id = ? AND ("index", id) > (?, ?) ORDER BY "index", id LIMIT ?`,
    adventureId,
    index,
    id,
    count,
  )
}
