import type { Reader, Writer } from '../database.ts'

/** The indexed columns of a memory. */
export interface IndexedMemory {
  id: number
  adventure_id: number
  text: string
}

/** A memory that may be recalled. `bm25` is negative, and lower is better; 0 if no words were matched. */
interface FoundMemory {
  id: number
  text: string
  source_start: number | null
  source_end: number | null
  pinned: boolean
  bm25: number
}

/** Indexes a new or changed memory. */
export function indexMemory(tx: Writer, memory: IndexedMemory): void {
  const checksum = deleteIndexed(tx, memory.id, readChecksum(tx))
  tx.run(
    'INSERT INTO memory_words (rowid, text, adventure) VALUES (?, ?, ?)',
    memory.id,
    memory.text,
    adventureTerm(memory.adventure_id),
  )
  writeChecksum(tx, plus(checksum, memory, 1))
}

/** Removes a memory from the index. */
export function unindexMemory(tx: Writer, id: number): void {
  writeChecksum(tx, deleteIndexed(tx, id, readChecksum(tx)))
}

/** Removes the deleted memories of an adventure, after an undo or after the adventure was deleted. */
export function unindexDeletedMemories(tx: Writer, adventureId: number): void {
  const deleted = tx.all<{ id: number }>(
    `SELECT rowid AS id FROM memory_words
      WHERE memory_words MATCH ? AND rowid NOT IN (SELECT id FROM memories WHERE adventure_id = ?)`,
    `adventure : "${adventureTerm(adventureId)}"`,
    adventureId,
  )
  for (const { id } of deleted) unindexMemory(tx, id)
}

/** Rebuilds the index if another program has changed the memories or the index. Returns whether it did. */
export function repairMemoryIndex(tx: Writer): boolean {
  if (!isMemoryIndexOutdated(tx)) return false
  rebuildMemoryIndex(tx)
  return true
}

/** Whether the index differs from the memories. */
export function isMemoryIndexOutdated(reader: Reader): boolean {
  if (formatChecksum(checksumOfMemories(reader)) !== formatChecksum(readChecksum(reader))) return true
  const { differing } = reader.get<{ differing: number }>(
    `SELECT (SELECT count(*) FROM memory_words) <> (SELECT count(*) FROM memories) OR EXISTS
       (SELECT 1 FROM memories m JOIN memory_words w ON w.rowid = m.id
         WHERE w.text <> m.text OR w.adventure <> 'adv' || m.adventure_id) AS differing`,
  ) ?? { differing: 0 }
  return differing !== 0
}

/** Builds the index from scratch. */
export function rebuildMemoryIndex(tx: Writer): void {
  tx.run('DELETE FROM memory_words')
  tx.run(
    `INSERT INTO memory_words (rowid, text, adventure)
      SELECT id, text, 'adv' || adventure_id FROM memories ORDER BY id`,
  )
  writeChecksum(tx, checksumOfMemories(tx))
}

/**
 * The matching memories of an adventure, best first. Skips forgotten ones and those that reach `endingBefore`, because
 * their actions are still in the prompt. Memories that the player wrote have no range. `query` is an FTS5 expression made
 * by `matchExpression`; an empty one matches nothing.
 */
export function searchMemories(
  reader: Reader,
  adventureId: number,
  { query, endingBefore, limit }: { query: string; endingBefore: number; limit: number },
): FoundMemory[] {
  if (query === '') return []
  return reader
    .all<StoredFound>(
      `SELECT ${COLUMNS}, found.bm25 AS bm25
        FROM (SELECT rowid AS id, bm25(memory_words, 1.0, 0.0) AS bm25 FROM memory_words WHERE memory_words MATCH ?) AS found
        JOIN memories ON memories.id = found.id
        WHERE ${ELIGIBLE} ORDER BY found.bm25, memories.id DESC LIMIT ?`,
      `adventure : "${adventureTerm(adventureId)}" AND text : (${query})`,
      adventureId,
      endingBefore,
      limit,
    )
    .map(toFoundMemory)
}

/** The pinned memories of an adventure, newest first. */
export function listPinnedMemories(reader: Reader, adventureId: number, endingBefore: number): FoundMemory[] {
  return reader
    .all<StoredFound>(
      `SELECT ${COLUMNS}, 0 AS bm25 FROM memories WHERE pinned AND ${ELIGIBLE} ORDER BY id DESC`,
      adventureId,
      endingBefore,
    )
    .map(toFoundMemory)
}

/** In how many memories of an adventure each word occurs, in any form. */
export function documentFrequencies(
  reader: Reader,
  adventureId: number,
  words: string[],
): Map<string, number> {
  const adventure = adventureTerm(adventureId)
  return new Map(words.map((word) => [word, frequency(reader, adventure, word)]))
}

/** The number of indexed memories of an adventure. */
export function countIndexed(reader: Reader, adventureId: number): number {
  const sql = 'SELECT count(*) AS count FROM memory_words WHERE memory_words MATCH ?'
  return reader.get<{ count: number }>(sql, `adventure : "${adventureTerm(adventureId)}"`)?.count ?? 0
}

type StoredFound = Omit<FoundMemory, 'pinned'> & { pinned: number }

const COLUMNS = 'memories.id, memories.text, source_start, source_end, pinned'
const ELIGIBLE = 'adventure_id = ? AND NOT forgotten AND NOT stale AND (source_end IS NULL OR source_end < ?)'
/** The name of the checksum in `search_marks`. */
const CHECKSUM_NAME = 'memories'

function frequency(reader: Reader, adventure: string, word: string): number {
  const sql = 'SELECT count(*) AS count FROM memory_words WHERE memory_words MATCH ?'
  const query = `adventure : "${adventure}" AND text : "${word.replaceAll('"', '""').replaceAll('\0', '')}"`
  return reader.get<{ count: number }>(sql, query)?.count ?? 0
}

function toFoundMemory(row: StoredFound): FoundMemory {
  return { ...row, pinned: Boolean(row.pinned) }
}

function adventureTerm(adventureId: number): string {
  return `adv${adventureId}`
}

/** The number of memories and the sum of their hashes. Can be updated row by row, in any order. */
interface Checksum {
  count: number
  sum: number
}

function checksumOfMemories(reader: Reader): Checksum {
  const none: Checksum = { count: 0, sum: 0 }
  return reader
    .all<IndexedMemory>('SELECT id, adventure_id, text FROM memories')
    .reduce((checksum, memory) => plus(checksum, memory, 1), none)
}

/** Deletes a memory from the index. Returns the checksum without it. */
function deleteIndexed(tx: Writer, id: number, checksum: Checksum): Checksum {
  const sql =
    'SELECT text, CAST(substr(adventure, 4) AS INTEGER) AS adventure_id FROM memory_words WHERE rowid = ?'
  const row = tx.get<Omit<IndexedMemory, 'id'>>(sql, id)
  if (row === null) return checksum
  tx.run('DELETE FROM memory_words WHERE rowid = ?', id)
  return plus(checksum, { id, ...row }, -1)
}

function plus(checksum: Checksum, { id, adventure_id, text }: IndexedMemory, sign: 1 | -1): Checksum {
  const hash = Bun.hash.xxHash32(`${id} ${adventure_id} ${text}`)
  return { count: checksum.count + sign, sum: checksum.sum + sign * hash }
}

function readChecksum(reader: Reader): Checksum {
  const stored =
    reader.get<{ mark: string }>('SELECT mark FROM search_marks WHERE name = ?', CHECKSUM_NAME)?.mark ?? '0 0'
  const [count = 0, sum = 0] = stored.split(' ').map(Number)
  return { count, sum }
}

function writeChecksum(tx: Writer, checksum: Checksum): void {
  tx.run(
    'INSERT OR REPLACE INTO search_marks (name, mark) VALUES (?, ?)',
    CHECKSUM_NAME,
    formatChecksum(checksum),
  )
}

function formatChecksum({ count, sum }: Checksum): string {
  return `${count} ${sum}`
}
