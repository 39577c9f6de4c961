import { type Action, type ActionPage, type ActionType, actionView, type Cut } from '../domain/action.ts'
import { StoryError } from '../domain/errors.ts'
import { markOf } from '../lib/hash.ts'
import { type KeptNotes, type Notes, notesFrom } from '../domain/prompt/notes.ts'
import { memoryLine } from '../domain/prompt/turn-notes.ts'
import type { Story, Told } from '../domain/prompt/window.ts'
import type { Told as ToldAt } from '../domain/turn-cost.ts'
import { type Variant, variantFrom } from '../domain/variant.ts'
import type { Audited } from '../domain/world/audit.ts'
import { replayOfApplied } from '../domain/world/prompt/replay-block.ts'
import type { WorldState } from '../domain/world/state.ts'
import { getAdventure } from './tables/adventures.ts'
import type { Reader, Value, Writer } from './database.ts'
import { partTexts } from './tables/prompt-parts.ts'
import { indexAdventure, indexForSearch, unindexForSearch } from './search.ts'
import { isoTime, readList, readObject, storedTime } from './stored.ts'

type Row = Omit<Action, 'world_delta'> & { world_delta: string | null; told_mark: string | null }

// No column that grows with attempts or prompts: those are read for one action at a time.
const COLUMNS = `id, adventure_id, "index", type, text, reasoning, world_delta, variant_count, variant_index, cut, told_mark,
  created_at`

/** One page of a story, oldest first: its newest actions, or those before one. */
export function listActions(
  reader: Reader,
  adventureId: number,
  limit: number,
  beforeId?: number,
): ActionPage {
  const { action_count: total } = getAdventure(reader, adventureId)
  if (beforeId === undefined) return page(listNewest(reader, adventureId, limit + 1), limit, total, true)
  const anchor = findPlace(reader, adventureId, beforeId)
  if (anchor === null) return { actions: [], total, has_more: false }
  return page(listBefore(reader, adventureId, anchor, limit + 1), limit, total, false)
}

/** The newest actions of a story, newest first. */
export function listNewest(reader: Reader, adventureId: number, limit: number): Action[] {
  const rows = reader.all<Row>(
    `SELECT ${COLUMNS} FROM actions WHERE adventure_id = ? ORDER BY "index" DESC, id DESC LIMIT ?`,
    adventureId,
    limit,
  )
  return rows.map(fromRow)
}

/** The newest action, or null in an empty story. */
export function findNewest(reader: Reader, adventureId: number): Action | null {
  return listNewest(reader, adventureId, 1)[0] ?? null
}

/** The action behind a place; null at the end of the story. */
export function findNext(reader: Reader, adventureId: number, { index, id }: Place): Place | null {
  return reader.get<Place>(
    `SELECT "index", id FROM actions WHERE adventure_id = ? AND ("index", id) > (?, ?) ORDER BY "index", id LIMIT 1`,
    adventureId,
    index,
    id,
  )
}

/** Where a story begins; null for one without any action. */
export function findFirst(reader: Reader, adventureId: number): Place | null {
  return findNext(reader, adventureId, BEGINNING)
}

/** Throws not_found. */
export function getAction(reader: Reader, adventureId: number, id: number): Action {
  const row = reader.get<Row>(
    `SELECT ${COLUMNS} FROM actions WHERE id = ? AND adventure_id = ?`,
    id,
    adventureId,
  )
  if (row) return fromRow(row)
  throw new StoryError('not_found', `There is no action ${id} in this story. It may have been undone.`)
}

/** The id of the action that stands so many places behind another; null when there is none. */
export function findFollowing(
  reader: Reader,
  adventureId: number,
  id: number,
  places: number,
): number | null {
  const place = findPlace(reader, adventureId, id)
  if (place === null) return null
  const row = reader.get<{ id: number }>(
    `SELECT id FROM actions WHERE adventure_id = ? AND ("index", id) > (?, ?) ORDER BY "index", id LIMIT 1 OFFSET ?`,
    adventureId,
    place.index,
    place.id,
    places - 1,
  )
  return row?.id ?? null
}

/** Where an action stands: rows of old files may share an index, so its id decides. */
export interface Place {
  index: number
  id: number
}

/** The story before a place (the whole of it without one), as prompts read it. */
export function storyBefore(reader: Reader, adventureId: number, before: Place | null): Story {
  const end = before ?? END
  return {
    since: (index) =>
      withNotes(
        reader,
        adventureId,
        reader.all<ToldRow>(
          `${TOLD} WHERE adventure_id = ? AND "index" >= ? AND ("index", id) < (?, ?) ORDER BY "index", id`,
          adventureId,
          index,
          end.index,
          end.id,
        ),
      ),
    back: () => readBack(reader, adventureId, end),
  }
}

/** Before the beginning of every story: a file of the earlier release may begin anywhere. */
export const BEGINNING: Place = { index: Number.MIN_SAFE_INTEGER, id: 0 }

/** Behind the end of every story. */
export const END: Place = { index: Number.MAX_SAFE_INTEGER, id: 0 }

// A reply in which something was put right stands there as it was told, with the block of what was accepted.
const TOLD = `SELECT id, "index", type, text, CASE WHEN replays_raw THEN raw_output END AS raw_output, state_block,
         told_mark, CASE WHEN state_block IS NULL THEN world_delta END AS world_delta, prompt_notes FROM actions`

type ToldRow = Pick<Told, 'id' | 'index' | 'type' | 'text'> &
  Record<'raw_output' | 'state_block' | 'told_mark' | 'world_delta' | 'prompt_notes', string | null>

const CHUNK = 24

/** Backwards, a handful of rows at a time, as far as it is asked. */
function* readBack(reader: Reader, adventureId: number, from: Place): Generator<Told> {
  for (let place = from; ; ) {
    const rows = reader.all<ToldRow>(
      `${TOLD} WHERE adventure_id = ? AND ("index", id) < (?, ?) ORDER BY "index" DESC, id DESC LIMIT ?`,
      adventureId,
      place.index,
      place.id,
      CHUNK,
    )
    yield* withNotes(reader, adventureId, rows)
    const last = rows.at(-1)
    if (last === undefined || rows.length < CHUNK) return
    place = last
  }
}

function withNotes(reader: Reader, adventureId: number, rows: readonly ToldRow[]): Told[] {
  const kept = rows.map(({ prompt_notes }) => readObject(prompt_notes) as KeptNotes | null)
  const marks = kept.flatMap((notes) =>
    [...(notes?.before ?? []), ...(notes?.after ?? [])].map(([, mark]) => mark),
  )
  const texts = partTexts(reader, adventureId, marks)
  for (const mark of untrueMarks(reader, adventureId, kept)) texts.delete(mark)
  return rows.map((row, i) => {
    const { id, index, type } = row
    const notes = kept[i] ?? null
    return {
      ...{ id, index, type },
      text: replayed(reader, row),
      notes: notes && notesFrom(notes, (mark) => texts.get(mark)),
    }
  })
}

function replayed(
  reader: Reader,
  { id, text, raw_output, state_block, told_mark, world_delta }: ToldRow,
): string {
  const isAsTold = isOf(told_mark, text)
  if (raw_output !== null && isAsTold) return raw_output
  const applied = isAsTold ? readObject(world_delta)?.applied : findDelta(reader, id)?.applied
  const block = isAsTold && state_block !== null ? state_block : replayOfApplied(applied)
  return block === '' ? text : `${text}\n\n${block}`
}

// The earlier release edits, retells and switches a passage without touching what we keep beside it.
function isOf(mark: string | null, text: string): boolean {
  return mark === null || mark === markOf(text)
}

function findDelta(reader: Reader, actionId: number): Record<string, unknown> | null {
  const row = reader.get<{ world_delta: string | null }>(
    'SELECT world_delta FROM actions WHERE id = ?',
    actionId,
  )
  return readObject(row?.world_delta ?? null)
}

/** The marks of memories that were told and are no longer so: gone, rewritten, or of passages that have changed. */
function untrueMarks(reader: Reader, adventureId: number, kept: readonly (KeptNotes | null)[]): string[] {
  const told = kept.flatMap((notes) => notes?.memories ?? [])
  if (told.length === 0) return []
  const rows = reader.all<{ id: number; text: string }>(
    'SELECT id, text FROM memories WHERE adventure_id = ? AND NOT stale AND id IN (SELECT value FROM json_each(?))',
    adventureId,
    JSON.stringify([...new Set(told.map(([id]) => id))]),
  )
  const valid = new Map(rows.map(({ id, text }) => [id, markOf(memoryLine(text))]))
  return told.filter(([id, mark]) => valid.get(id) !== mark).map(([, mark]) => mark)
}

/** The notes of a turn that was told; null in rows without. */
export function findNotes(reader: Reader, adventureId: number, actionId: number): Notes | null {
  const row = reader.get<{ prompt_notes: string | null }>(
    'SELECT prompt_notes FROM actions WHERE id = ?',
    actionId,
  )
  const kept = readObject(row?.prompt_notes ?? null) as KeptNotes | null
  if (kept === null) return null
  const texts = partTexts(
    reader,
    adventureId,
    [...kept.before, ...kept.after].map(([, mark]) => mark),
  )
  return notesFrom(kept, (mark) => texts.get(mark))
}

/** What the newest narration before a place did to the world; null when there is none, or it did not tell. */
export function findLastDelta(
  reader: Reader,
  adventureId: number,
  before: Place | null,
): Record<string, unknown> | null {
  const place = before ?? { index: Number.MAX_SAFE_INTEGER, id: 0 }
  const row = reader.get<{ world_delta: string | null }>(
    `SELECT world_delta FROM actions
      WHERE adventure_id = ? AND type = 'ai' AND ("index", id) < (?, ?) ORDER BY "index" DESC, id DESC LIMIT 1`,
    adventureId,
    place.index,
    place.id,
  )
  return readObject(row?.world_delta ?? null)
}

/** The heavy side of one action: its attempts, and the world as it was before it. */
export interface Attempts {
  /** [] in rows that were never retried and are older than us: the row itself is the one attempt. */
  variants: Variant[]
  world_state_before: WorldState | null
}

/** Throws not_found. */
export function getAttempts(reader: Reader, actionId: number): Attempts {
  const row = reader.get<{ variants: string | null; world_state_before: string | null }>(
    'SELECT variants, world_state_before FROM actions WHERE id = ?',
    actionId,
  )
  if (row === null)
    throw new StoryError('not_found', `There is no action ${actionId}. It may have been undone.`)
  return {
    variants: readList(row.variants).map(variantFrom),
    world_state_before: readObject(row.world_state_before),
  }
}

/** What the newest actions did to the world, newest first; those that could do nothing are left out. */
export function listDeltas(reader: Reader, adventureId: number, limit: number): Delta[] {
  return reader
    .all<Omit<Delta, 'world_delta'> & { world_delta: string | null }>(
      `SELECT id, "index", world_delta FROM actions
        WHERE adventure_id = ? AND (type = 'ai' OR world_delta IS NOT NULL) ORDER BY "index" DESC, id DESC LIMIT ?`,
      adventureId,
      limit,
    )
    .map((row) => ({ ...row, world_delta: readObject(row.world_delta) }))
}

type Delta = Pick<Action, 'id' | 'index' | 'world_delta'>

const AUDITED = 40

/** The next actions after a place, oldest first, with everything that an audit looks at. */
export function listForAudit(reader: Reader, adventureId: number, { index, id }: Place): Audited[] {
  type AuditedRow = Record<'world_delta' | 'world_state_before' | 'variants' | 'told_mark', string | null> &
    Omit<Audited, 'world_delta' | 'world_state_before' | 'variants'>
  const rows = reader.all<AuditedRow>(
    `SELECT id, "index", type, text, variant_index, world_delta, world_state_before, variants, told_mark FROM actions
      WHERE adventure_id = ? AND ("index", id) > (?, ?) ORDER BY "index", id LIMIT ?`,
    adventureId,
    index,
    id,
    AUDITED,
  )
  return rows.map(({ told_mark, ...row }) => ({
    ...row,
    world_delta: readObject(row.world_delta),
    world_state_before: readObject(row.world_state_before),
    variants: readList(row.variants).map(variantFrom),
    is_elsewhere: told_mark === null,
  }))
}

/** The world as it was before an action; null when its row does not tell. */
export function findWorldBefore(reader: Reader, actionId: number): WorldState | null {
  return getAttempts(reader, actionId).world_state_before
}

/** The stored prompt of an action; null without one. */
export function findSnapshotBlob(reader: Reader, actionId: number): Uint8Array | string | null {
  const row = reader.get<{ context_snapshot: Uint8Array | string | null }>(
    'SELECT context_snapshot FROM actions WHERE id = ?',
    actionId,
  )
  return row?.context_snapshot ?? null
}

/** The packed snapshots of the newest narrations, newest first. */
export function listSnapshotBlobs(
  reader: Reader,
  adventureId: number,
  limit: number,
): { index: number; context_snapshot: Uint8Array | null }[] {
  return reader.all(
    `SELECT "index", context_snapshot FROM actions
      WHERE adventure_id = ? AND type = 'ai' ORDER BY "index" DESC, id DESC LIMIT ?`,
    adventureId,
    limit,
  )
}

/** When passages all along a story were told: about so many of them and the newest, oldest first. No more rows are read. */
export function listTimes(reader: Reader, adventureId: number, about: number): ToldAt[] {
  const newest = findNewest(reader, adventureId)
  if (newest === null) return []
  const step = Math.max(1, Math.ceil(newest.index / about))
  const along = Array.from({ length: Math.ceil(newest.index / step) }, (_, i) =>
    reader.get<ToldAt>(
      `SELECT "index", created_at FROM actions
        WHERE adventure_id = ? AND "index" >= ? AND "index" < ? ORDER BY "index", id LIMIT 1`,
      adventureId,
      i * step,
      Math.min((i + 1) * step, newest.index),
    ),
  )
    .filter((told) => told !== null)
    .map(({ index, created_at }) => ({ index, created_at: isoTime(created_at) }))
  return [...along, { index: newest.index, created_at: newest.created_at }]
}

export interface NewAction {
  adventure_id: number
  index: number
  type: ActionType
  text: string
  world_state_before: WorldState | null
}

/** Stores an action and counts it; gives its id. */
export function insertAction(tx: Writer, action: NewAction, now: Date): number {
  tx.run(
    'UPDATE adventures SET action_count = action_count + 1, updated_at = ? WHERE id = ?',
    storedTime(now),
    action.adventure_id,
  )
  const id = tx.insert('actions', {
    ...action,
    world_state_before: action.world_state_before && JSON.stringify(action.world_state_before),
    variant_count: 0,
    variant_index: 0,
    told_mark: markOf(action.text),
    created_at: storedTime(now),
  })
  indexForSearch(tx, 'action', id)
  return id
}

/** What an action shows of its live attempt. */
export interface Live {
  text: string
  reasoning: string | null
  cut: Cut | null
  raw_output: string | null
  world_delta: unknown
  state_block: string | null
  replays_raw: boolean
  variants: Variant[]
  variant_index: number
  context_snapshot?: Uint8Array
  prompt_notes?: string
}

/** Makes an attempt the live one: list, count and everything that mirrors it are written together. */
export function updateLive(tx: Writer, actionId: number, live: Live): void {
  tx.update('actions', actionId, { ...liveRow(live), variants: JSON.stringify(live.variants) })
  indexForSearch(tx, 'action', actionId)
}

function liveRow({ variants, world_delta, ...mirrored }: Live): Record<string, Value> {
  return {
    ...mirrored,
    told_mark: markOf(mirrored.text),
    world_delta: world_delta == null ? null : JSON.stringify(world_delta),
    variants: variants.length === 0 ? null : JSON.stringify(variants),
    variant_count: variants.length,
  }
}

/** An action that was told elsewhere, with all its attempts; without any, the action itself is the one. */
export interface WholeAction extends Pick<NewAction, 'type' | 'world_state_before'> {
  live: Live
  /** Null counts as now. */
  created_at: Date | null
}

/** Stores the actions of a story that has none yet, in their order, and counts them. Gives their ids. */
export function insertStory(
  tx: Writer,
  adventureId: number,
  actions: readonly WholeAction[],
  now: Date,
): number[] {
  const ids = actions.map(({ type, world_state_before, live, created_at }, index) =>
    tx.insert('actions', {
      ...liveRow(live),
      adventure_id: adventureId,
      index,
      type,
      world_state_before: world_state_before && JSON.stringify(world_state_before),
      created_at: storedTime(created_at ?? now),
    }),
  )
  tx.update('adventures', adventureId, { action_count: actions.length })
  indexAdventure(tx, adventureId)
  return ids
}

/** Rewrites the words of an action and of its live attempt together. */
export function updateWords(tx: Writer, actionId: number, text: string, variants: Variant[]): void {
  tx.update('actions', actionId, {
    text,
    told_mark: markOf(text),
    replays_raw: false,
    ...(variants.length > 0 ? { variants: JSON.stringify(variants) } : {}),
  })
  indexForSearch(tx, 'action', actionId)
}

/** Writes what was done to the world at an action that has no attempts. */
export function updateWorldDelta(tx: Writer, actionId: number, worldDelta: unknown): void {
  tx.update('actions', actionId, { world_delta: JSON.stringify(worldDelta) })
}

export function deleteActions(tx: Writer, adventureId: number, ids: number[], now: Date): void {
  for (const id of ids) {
    tx.run('DELETE FROM actions WHERE id = ?', id)
    unindexForSearch(tx, 'action', id)
  }
  tx.run(
    'UPDATE adventures SET action_count = max(0, action_count - ?), updated_at = ? WHERE id = ?',
    ids.length,
    storedTime(now),
    adventureId,
  )
}

function listBefore(reader: Reader, adventureId: number, place: Place, limit: number): Action[] {
  const rows = reader.all<Row>(
    `SELECT ${COLUMNS} FROM actions
      WHERE adventure_id = ? AND ("index", id) < (?, ?) ORDER BY "index" DESC, id DESC LIMIT ?`,
    adventureId,
    place.index,
    place.id,
    limit,
  )
  return rows.map(fromRow)
}

function findPlace(reader: Reader, adventureId: number, id: number): Place | null {
  return reader.get<Place>(
    'SELECT "index", id FROM actions WHERE id = ? AND adventure_id = ?',
    id,
    adventureId,
  )
}

// One row more than asked tells whether there are more, without counting.
function page(newestFirst: Action[], limit: number, total: number, endsStory: boolean): ActionPage {
  const shown = newestFirst.slice(0, limit)
  return {
    actions: shown.map((action, i) => actionView(action, endsStory && i === 0)).reverse(),
    total,
    has_more: newestFirst.length > limit,
  }
}

function fromRow({ told_mark, ...row }: Row): Action {
  const cut = row.cut !== null && isOf(told_mark, row.text) ? row.cut : null
  return { ...row, cut, world_delta: readObject(row.world_delta), created_at: isoTime(row.created_at) }
}
