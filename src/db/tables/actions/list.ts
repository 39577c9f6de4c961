import { type Action, type ActionPage, actionView } from '../../../domain/action.ts'
import { rollFrom } from '../../../domain/checks/roll.ts'
import { StoryError } from '../../../domain/errors.ts'
import { hashOf } from '../../../lib/hash.ts'
import { isoTime, parseObjectColumn } from '../../column-values.ts'
import type { Reader } from '../../database.ts'
import { getAdventure } from '../adventures.ts'
import { type ActionPosition, findPosition } from './position.ts'

type Row = Omit<Action, 'world_delta' | 'roll' | 'hidden'> &
  Record<'world_delta' | 'roll' | 'told_mark', string | null> & { hidden: number }

// Without the columns that grow with variants or prompts: those are read for one action at a time.
const COLUMNS = `id, adventure_id, "index", type, text, reasoning, world_delta, variant_count, variant_index, cut, roll, steering,
  hidden, told_mark, created_at`

/** One page of a story, oldest first: its newest actions, or those before a given one. */
export function listActions(
  reader: Reader,
  adventureId: number,
  limit: number,
  beforeId?: number,
): ActionPage {
  const { action_count: total } = getAdventure(reader, adventureId)
  if (beforeId === undefined) return pageOf(listNewest(reader, adventureId, limit + 1), limit, total, true)
  const anchor = findPosition(reader, adventureId, beforeId)
  if (anchor === null) return { actions: [], total, has_more: false }
  return pageOf(listBefore(reader, adventureId, anchor, limit + 1), limit, total, false)
}

/** Newest first. */
export function listNewest(reader: Reader, adventureId: number, limit: number): Action[] {
  const rows = reader.all<Row>(
    `SELECT ${COLUMNS} FROM actions WHERE adventure_id = ? ORDER BY "index" DESC, id DESC LIMIT ?`,
    adventureId,
    limit,
  )
  return rows.map(fromRow)
}

/** Null in an empty story. */
export function findNewest(reader: Reader, adventureId: number): Action | null {
  return listNewest(reader, adventureId, 1)[0] ?? null
}

export function listFrom(reader: Reader, adventureId: number, index: number, limit: number): Action[] {
  const rows = reader.all<Row>(
    `SELECT ${COLUMNS} FROM actions WHERE adventure_id = ? AND "index" >= ? ORDER BY "index", id LIMIT ?`,
    adventureId,
    index,
    limit,
  )
  return rows.map(fromRow)
}

/** Throws not_found. */
export function getAction(reader: Reader, adventureId: number, id: number): Action {
  const row = reader.get<Row>(
    `SELECT ${COLUMNS} FROM actions WHERE id = ? AND adventure_id = ?
        AND EXISTS (SELECT 1 FROM adventures a WHERE a.id = adventure_id AND a.importing IS NULL)`,
    id,
    adventureId,
  )
  if (row) return fromRow(row)
  throw new StoryError('not_found', 'This passage is not in the story. It may have been undone.')
}

function listBefore(reader: Reader, adventureId: number, before: ActionPosition, limit: number): Action[] {
  const rows = reader.all<Row>(
    `SELECT ${COLUMNS} FROM actions
      WHERE adventure_id = ? AND ("index", id) < (?, ?) ORDER BY "index" DESC, id DESC LIMIT ?`,
    adventureId,
    before.index,
    before.id,
    limit,
  )
  return rows.map(fromRow)
}

// The query asked for one row more than a page, which shows whether there are more without counting.
function pageOf(newestFirst: Action[], limit: number, total: number, endsStory: boolean): ActionPage {
  const actions = newestFirst.slice(0, limit)
  return {
    actions: actions.map((action, i) => actionView(action, endsStory && i === 0)).reverse(),
    total,
    has_more: newestFirst.length > limit,
  }
}

function fromRow({ told_mark, ...row }: Row): Action {
  const cut = row.cut !== null && isCurrentText(told_mark, row.text) ? row.cut : null
  return {
    ...row,
    cut,
    hidden: row.hidden === 1,
    roll: rollFrom(parseObjectColumn(row.roll)),
    world_delta: parseObjectColumn(row.world_delta),
    created_at: isoTime(row.created_at),
  }
}

/** False for columns of a passage that the earlier release has edited, retried or switched without updating them. */
function isCurrentText(hash: string | null, text: string): boolean {
  return hash === null || hash === hashOf(text)
}
