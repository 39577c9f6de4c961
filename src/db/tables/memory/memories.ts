import { StoryError } from '../../../domain/errors.ts'
import { FIRST_MEMORY_AT, type Memory } from '../../../domain/memory.ts'
import type { ChangeNote } from '../../../domain/recall/changes.ts'
import { isoTime, storedTime } from '../../column-values.ts'
import type { Reader, Writer } from '../../database.ts'
import { rowidOf } from '../../search/searchable-rows.ts'
import { indexForSearch, unindexForSearch } from '../../search/story-index.ts'
import {
  BLANKS,
  countSettledPassages,
  IS_TOLD,
  listNextPassages,
  listSettledPassages,
  type SourcePassage,
} from '../actions/passages.ts'

type Row = Omit<Memory, 'pinned' | 'forgotten' | 'embedded' | 'stale'> &
  Record<'pinned' | 'forgotten' | 'embedded' | 'stale', number>

// A vector of the earlier release, or ours.
const IS_EMBEDDED = `(embedded OR EXISTS (SELECT 1 FROM text_vectors v WHERE v.id = memories.id + ${rowidOf('memory', 0)}))`
const COLUMNS = `id, adventure_id, text, no_longer, pinned, forgotten, ${IS_EMBEDDED} AS embedded, use_count, last_used_at,
  source_start, source_end, stale, created_at`

/** Oldest first. */
export function listMemories(reader: Reader, adventureId: number): Memory[] {
  return reader
    .all<Row>(`SELECT ${COLUMNS} FROM memories WHERE adventure_id = ? ORDER BY id`, adventureId)
    .map(fromRow)
}

/** Oldest first. */
export function listUnforgotten(reader: Reader, adventureId: number): Memory[] {
  return reader
    .all<Row>(
      `SELECT ${COLUMNS} FROM memories WHERE adventure_id = ? AND forgotten = 0 ORDER BY id`,
      adventureId,
    )
    .map(fromRow)
}

/** The texts of the last memories that end between two actions, in the order of the story; without stale ones. */
export function listMemoryTexts(
  reader: Reader,
  adventureId: number,
  { after, to, limit }: { after: number; to: number; limit: number },
): string[] {
  const newestFirst = reader.column<string>(
    `SELECT text FROM memories WHERE adventure_id = ? AND source_end > ? AND source_end <= ? AND stale = 0
      ORDER BY source_end DESC, id DESC LIMIT ?`,
    adventureId,
    after,
    to,
    limit,
  )
  return newestFirst.toReversed()
}

/** Throws not_found. */
export function getMemory(reader: Reader, adventureId: number, id: number): Memory {
  const row = reader.get<Row>(
    `SELECT ${COLUMNS} FROM memories WHERE id = ? AND adventure_id = ?
        AND EXISTS (SELECT 1 FROM adventures a WHERE a.id = adventure_id AND a.importing IS NULL)`,
    id,
    adventureId,
  )
  if (row) return fromRow(row)
  throw new StoryError('not_found', `There is no memory ${id} in this story. It may have been deleted.`)
}

/** The passages that a memory summarizes: indexes of the first and the last, and the hash of their text. */
export interface MemorySource {
  start: number
  end: number
  hash: string
}

interface NewMemory
  extends Partial<Pick<Memory, 'no_longer' | 'pinned' | 'forgotten' | 'stale' | 'use_count'>> {
  text: string
  /** Null for a memory that the player wrote. */
  source: MemorySource | null
}

export function insertMemory(
  tx: Writer,
  adventureId: number,
  { text, source, ...history }: NewMemory,
  now: Date,
): number {
  const id = tx.insert('memories', {
    ...history,
    adventure_id: adventureId,
    text,
    source_start: source?.start ?? null,
    source_end: source?.end ?? null,
    source_hash: source?.hash ?? null,
    created_at: storedTime(now),
  })
  indexForSearch(tx, 'memory', id)
  return id
}

/** A new text has no vector yet and is no longer stale. */
export function updateMemory(
  tx: Writer,
  id: number,
  changed: Partial<Pick<Memory, 'text' | 'no_longer' | 'pinned' | 'forgotten'>> & { source_hash?: string },
): void {
  const hasNewText = changed.text !== undefined
  tx.update('memories', id, {
    ...changed,
    ...(hasNewText ? { embedding_blob: null, embedded: false, embedding_model: null, stale: false } : {}),
  })
  if (changed.text !== undefined) indexForSearch(tx, 'memory', id)
}

export function deleteMemory(tx: Writer, id: number): void {
  tx.run('DELETE FROM memories WHERE id = ?', id)
  unindexForSearch(tx, 'memory', id)
}

/** In the order of the story. */
export function listChangeNotes(reader: Reader, adventureId: number): ChangeNote[] {
  return reader.all(
    `SELECT id, text, source_start, no_longer FROM memories
      WHERE adventure_id = ? AND no_longer > '' AND source_start IS NOT NULL AND NOT forgotten AND NOT stale
      ORDER BY source_start, id`,
    adventureId,
  )
}

export function updateMemoryUse(tx: Writer, ids: readonly number[], now: Date): void {
  for (const id of ids)
    tx.run(
      'UPDATE memories SET use_count = use_count + 1, last_used_at = ? WHERE id = ?',
      storedTime(now),
      id,
    )
}

/** Marks the memories of a changed passage, so that they are not recalled until they have been made again. */
export function markMemoriesStale(tx: Writer, adventureId: number, index: number): void {
  tx.run(
    'UPDATE memories SET stale = 1 WHERE adventure_id = ? AND source_start <= ? AND source_end >= ?',
    adventureId,
    index,
    index,
  )
}

/** A stale memory that has to be made again; null if there is none. One whose passages are all hidden or blank waits. */
export function findStaleMemory(
  reader: Reader,
  adventureId: number,
): { id: number; start: number; end: number } | null {
  return reader.get(
    `SELECT id, source_start AS start, source_end AS end FROM memories
      WHERE adventure_id = ?1 AND stale = 1 AND source_end IS NOT NULL AND forgotten = 0
        AND EXISTS (SELECT 1 FROM actions WHERE adventure_id = ?1 AND "index" BETWEEN source_start AND source_end
          AND ${IS_TOLD})
      ORDER BY id LIMIT 1`,
    adventureId,
  )
}

/** Oldest first; [] in a story that is too short. */
export function listWaitingPassages(reader: Reader, adventureId: number, limit: number): SourcePassage[] {
  const isShort = countSettledPassages(reader, adventureId, -1, FIRST_MEMORY_AT) < FIRST_MEMORY_AT
  return isShort
    ? []
    : listSettledPassages(reader, adventureId, coveredByMemories(reader, adventureId), limit)
}

/** Index of the last action that memories cover; -1 for none. */
export function coveredByMemories(reader: Reader, adventureId: number): number {
  const row = reader.get<{ last: number | null; position: number }>(
    `SELECT (SELECT max(source_end) FROM memories WHERE adventure_id = a.id) AS last, memory_cursor AS position
       FROM adventures a WHERE id = ?`,
    adventureId,
  )
  if (row?.last != null) return row.last
  // The earlier release stored only a cursor: that many passages are covered, even if their memories are gone.
  if (!row || row.position === 0) return -1
  return listNextPassages(reader, adventureId, -1, row.position).at(-1)?.index ?? -1
}

export function updateMemoryCursor(tx: Writer, adventureId: number, passages: number): void {
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
 * Deletes the memories that reach past `lastIndex`, the new end of the story, and moves the cursor back to where they began.
 * Must be called before the actions that they cover are deleted.
 */
export function pruneMemories(tx: Writer, adventureId: number, lastIndex: number): void {
  const pruned = tx.get<{ first: number | null; last: number | null }>(
    'SELECT min(source_start) AS first, max(source_end) AS last FROM memories WHERE adventure_id = ? AND source_end > ?',
    adventureId,
    lastIndex,
  )
  if (pruned === null || pruned.first === null || pruned.last === null) return
  const deleted = tx.column<number>(
    'DELETE FROM memories WHERE adventure_id = ? AND source_end > ? RETURNING id',
    adventureId,
    lastIndex,
  )
  for (const id of deleted) {
    unindexForSearch(tx, 'memory', id)
  }
  // The cursor counts the actions that have text.
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

/** Moves the memory and summary cursors back to the end of the story if they are past it. */
export function clampCursors(tx: Writer, adventureId: number): void {
  tx.run(
    `UPDATE adventures SET memory_cursor = min(memory_cursor, action_count), summary_cursor = min(summary_cursor, action_count)
      WHERE id = ?`,
    adventureId,
  )
}
