import { StoryError } from '../../domain/errors.ts'
import { markOf } from '../../lib/hash.ts'
import type { Memory } from '../../domain/memory.ts'
import { BLOCK, FIRST } from '../../domain/memory.ts'
import type { Reader, Writer } from '../database.ts'
import { indexMemory, unindexGone, unindexMemory } from '../search/memory-search.ts'
import { indexForSearch, unindexForSearch } from '../search.ts'
import { isoTime, storedTime } from '../stored.ts'

type Row = Omit<Memory, 'pinned' | 'forgotten' | 'embedded' | 'stale'> &
  Record<'pinned' | 'forgotten' | 'embedded' | 'stale', number>

const COLUMNS =
  'id, adventure_id, text, pinned, forgotten, embedded, use_count, last_used_at, source_start, source_end, stale, created_at'

/** All memories of a story, the oldest first. */
export function listMemories(reader: Reader, adventureId: number): Memory[] {
  return reader
    .all<Row>(`SELECT ${COLUMNS} FROM memories WHERE adventure_id = ? ORDER BY id`, adventureId)
    .map(fromRow)
}

/** Throws not_found. */
export function getMemory(reader: Reader, adventureId: number, id: number): Memory {
  const row = reader.get<Row>(
    `SELECT ${COLUMNS} FROM memories WHERE id = ? AND adventure_id = ?`,
    id,
    adventureId,
  )
  if (row) return fromRow(row)
  throw new StoryError('not_found', `There is no memory ${id} in this story. It may have been deleted.`)
}

/** The passages that a memory tells of, with a mark of their text. */
export interface Source {
  start: number
  end: number
  mark: string
}

/** What is known of a memory that is not new. */
export type MemoryPast = Partial<Pick<Memory, 'pinned' | 'forgotten' | 'stale' | 'use_count'>>

export function insertMemory(
  tx: Writer,
  adventureId: number,
  text: string,
  source: Source | null,
  now: Date,
  past: MemoryPast = {},
): number {
  const id = tx.insert('memories', {
    ...past,
    adventure_id: adventureId,
    text,
    source_start: source?.start ?? null,
    source_end: source?.end ?? null,
    source_hash: source?.mark ?? null,
    created_at: storedTime(now),
  })
  indexMemory(tx, { id, adventure_id: adventureId, text })
  indexForSearch(tx, 'memory', id)
  return id
}

/** Changes the given fields. New words have no vector yet, and are no longer stale. */
export function updateMemory(
  tx: Writer,
  adventureId: number,
  id: number,
  changed: Partial<Pick<Memory, 'text' | 'pinned' | 'forgotten'>> & { source_hash?: string },
): void {
  const isNew = changed.text !== undefined
  tx.update('memories', id, {
    ...changed,
    ...(isNew ? { embedding_blob: null, embedded: false, embedding_model: null, stale: false } : {}),
  })
  if (changed.text === undefined) return
  indexMemory(tx, { id, adventure_id: adventureId, text: changed.text })
  indexForSearch(tx, 'memory', id)
}

export function deleteMemory(tx: Writer, id: number): void {
  tx.run('DELETE FROM memories WHERE id = ?', id)
  unindexMemory(tx, id)
  unindexForSearch(tx, 'memory', id)
}

/** The memories were told in a prompt. */
export function useMemories(tx: Writer, ids: readonly number[], now: Date): void {
  for (const id of ids)
    tx.run(
      'UPDATE memories SET use_count = use_count + 1, last_used_at = ? WHERE id = ?',
      storedTime(now),
      id,
    )
}

/** A passage has changed: what tells of it is recalled no more until it is made anew. */
export function staleMemories(tx: Writer, adventureId: number, index: number): void {
  tx.run(
    'UPDATE memories SET stale = 1 WHERE adventure_id = ? AND source_start <= ? AND source_end >= ?',
    adventureId,
    index,
    index,
  )
}

/** A passage as memories are made from it. */
export interface Passage {
  index: number
  text: string
}

/** The passages of a range, and a mark of their text. */
export function passagesIn(reader: Reader, adventureId: number, start: number, end: number): Passage[] {
  return reader.all<Passage>(
    `SELECT "index", text FROM actions
      WHERE adventure_id = ? AND "index" BETWEEN ? AND ? AND trim(text, ?) <> '' ORDER BY "index", id`,
    adventureId,
    start,
    end,
    BLANKS,
  )
}

export function passagesMark(passages: readonly Passage[]): string {
  return markOf(JSON.stringify(passages.map(({ text }) => text)))
}

/** A stale memory that is to be made anew; null when there is none. */
export function findStale(
  reader: Reader,
  adventureId: number,
): { id: number; start: number; end: number } | null {
  return reader.get(
    `SELECT id, source_start AS start, source_end AS end FROM memories
      WHERE adventure_id = ? AND stale = 1 AND source_end IS NOT NULL AND forgotten = 0 ORDER BY id LIMIT 1`,
    adventureId,
  )
}

/**
 * The next passages that no memory tells of, once there are enough; null while there are not. The newest passage is never
 * among them: it can still be told anew.
 */
export function findDue(reader: Reader, adventureId: number): Passage[] | null {
  const rows = nextPassages(reader, adventureId, coveredTo(reader, adventureId), BLOCK + 1)
  if (rows.length <= BLOCK) return null
  const enough = nextPassages(reader, adventureId, -1, FIRST + 1)
  return enough.length > FIRST ? rows.slice(0, BLOCK) : null
}

function coveredTo(reader: Reader, adventureId: number): number {
  const row = reader.get<{ last: number | null; position: number }>(
    `SELECT (SELECT max(source_end) FROM memories WHERE adventure_id = a.id) AS last, memory_cursor AS position
       FROM adventures a WHERE id = ?`,
    adventureId,
  )
  if (row?.last != null) return row.last
  // The earlier release kept a position alone: so many passages are covered, whatever became of their memories.
  if (!row || row.position === 0) return -1
  return nextPassages(reader, adventureId, -1, row.position).at(-1)?.index ?? -1
}

/** Passages behind an index, oldest first. */
export function nextPassages(reader: Reader, adventureId: number, index: number, limit: number): Passage[] {
  return reader.all<Passage>(
    `SELECT "index", text FROM actions
      WHERE adventure_id = ? AND "index" > ? AND trim(text, ?) <> '' ORDER BY "index", id LIMIT ?`,
    adventureId,
    index,
    BLANKS,
    limit,
  )
}

export function moveCursor(tx: Writer, adventureId: number, passages: number): void {
  tx.run(
    'UPDATE adventures SET memory_cursor = min(action_count, memory_cursor + ?) WHERE id = ?',
    passages,
    adventureId,
  )
}

function fromRow(row: Row): Memory {
  return {
    ...row,
    pinned: row.pinned !== 0,
    forgotten: row.forgotten !== 0,
    embedded: row.embedded !== 0,
    stale: row.stale !== 0,
    last_used_at: row.last_used_at && isoTime(row.last_used_at),
    created_at: isoTime(row.created_at),
  }
}

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
  const gone = tx.all<{ id: number }>(
    'DELETE FROM memories WHERE adventure_id = ? AND source_end > ? RETURNING id',
    adventureId,
    lastIndex,
  )
  for (const { id } of gone) unindexForSearch(tx, 'memory', id)
  unindexGone(tx, adventureId)
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
