import type { Reader, Writer } from '../database.ts'

/** What the index holds of a memory. */
export interface IndexedMemory {
  id: number
  adventure_id: number
  text: string
}

/** A memory that may be recalled. `bm25` is below 0, lower is better; 0 where no word was matched. */
export interface FoundMemory {
  id: number
  text: string
  source_start: number | null
  source_end: number | null
  pinned: boolean
  bm25: number
}

/** Puts one new or changed memory into the index. */
export function indexMemory(tx: Writer, memory: IndexedMemory): void {
  const mark = withoutRow(tx, memory.id, readMark(tx))
  tx.run(
    'INSERT INTO memory_words (rowid, text, adventure) VALUES (?, ?, ?)',
    memory.id,
    memory.text,
    adventureTerm(memory.adventure_id),
  )
  writeMark(tx, plus(mark, memory, 1))
}

/** Takes one memory out of the index. */
export function unindexMemory(tx: Writer, id: number): void {
  writeMark(tx, withoutRow(tx, id, readMark(tx)))
}

/** Takes out what an adventure no longer has: after an undo, or after the adventure itself is gone. */
export function unindexGone(tx: Writer, adventureId: number): void {
  const gone = tx.all<{ id: number }>(
    `SELECT rowid AS id FROM memory_words
      WHERE memory_words MATCH ? AND rowid NOT IN (SELECT id FROM memories WHERE adventure_id = ?)`,
    `adventure : "${adventureTerm(adventureId)}"`,
    adventureId,
  )
  for (const { id } of gone) unindexMemory(tx, id)
}

/** Makes the index anew when another program has changed the memories, or the index. True when it had to. */
export function keepMemoryIndex(tx: Writer): boolean {
  if (!differsFromMemories(tx)) return false
  rebuildMemoryIndex(tx)
  return true
}

/** Whether the index holds something else than the memories say. */
export function differsFromMemories(reader: Reader): boolean {
  if (written(markOfMemories(reader)) !== written(readMark(reader))) return true
  const { differing } = reader.get<{ differing: number }>(
    `SELECT (SELECT count(*) FROM memory_words) <> (SELECT count(*) FROM memories) OR EXISTS
       (SELECT 1 FROM memories m JOIN memory_words w ON w.rowid = m.id
         WHERE w.text <> m.text OR w.adventure <> 'adv' || m.adventure_id) AS differing`,
  ) ?? { differing: 0 }
  return differing !== 0
}

/** Makes the index anew. */
export function rebuildMemoryIndex(tx: Writer): void {
  tx.run('DELETE FROM memory_words')
  tx.run(
    `INSERT INTO memory_words (rowid, text, adventure)
      SELECT id, text, 'adv' || adventure_id FROM memories ORDER BY id`,
  )
  writeMark(tx, markOfMemories(tx))
}

/**
 * The memories of an adventure that match, best first. Left out are forgotten ones and those that reach to
 * `endingBefore` or past it: their actions still stand in the prompt. Memories typed by hand have no range.
 * `query` is an expression of FTS5 as `matchExpression` writes it; an empty one finds nothing.
 */
export function searchMemories(
  reader: Reader,
  adventureId: number,
  query: string,
  endingBefore: number,
  limit: number,
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
    .map(found)
}

/** The memories of an adventure that the player has pinned, newest first, whatever their words. */
export function listPinnedMemories(reader: Reader, adventureId: number, endingBefore: number): FoundMemory[] {
  return reader
    .all<StoredFound>(
      `SELECT ${COLUMNS}, 0 AS bm25 FROM memories WHERE pinned AND ${ELIGIBLE} ORDER BY id DESC`,
      adventureId,
      endingBefore,
    )
    .map(found)
}

/** In how many memories of an adventure each word stands, in whatever form. */
export function documentFrequencies(
  reader: Reader,
  adventureId: number,
  words: string[],
): Map<string, number> {
  const adventure = adventureTerm(adventureId)
  return new Map(words.map((word) => [word, frequency(reader, adventure, word)]))
}

/** How many memories of an adventure are in the index. */
export function countIndexed(reader: Reader, adventureId: number): number {
  const sql = 'SELECT count(*) AS count FROM memory_words WHERE memory_words MATCH ?'
  return reader.get<{ count: number }>(sql, `adventure : "${adventureTerm(adventureId)}"`)?.count ?? 0
}

type StoredFound = Omit<FoundMemory, 'pinned'> & { pinned: number }

const COLUMNS = 'memories.id, memories.text, source_start, source_end, pinned'
const ELIGIBLE = 'adventure_id = ? AND NOT forgotten AND NOT stale AND (source_end IS NULL OR source_end < ?)'
const MARK = 'memories'

function frequency(reader: Reader, adventure: string, word: string): number {
  const sql = 'SELECT count(*) AS count FROM memory_words WHERE memory_words MATCH ?'
  const query = `adventure : "${adventure}" AND text : "${word.replaceAll('"', '""').replaceAll('\0', '')}"`
  return reader.get<{ count: number }>(sql, query)?.count ?? 0
}

function found(row: StoredFound): FoundMemory {
  return { ...row, pinned: Boolean(row.pinned) }
}

function adventureTerm(adventureId: number): string {
  return `adv${adventureId}`
}

/** How many memories there are, and the sum of their hashes: can be kept up row by row, in any order. */
interface Mark {
  count: number
  sum: number
}

function markOfMemories(reader: Reader): Mark {
  const none: Mark = { count: 0, sum: 0 }
  return reader
    .all<IndexedMemory>('SELECT id, adventure_id, text FROM memories')
    .reduce((mark, memory) => plus(mark, memory, 1), none)
}

function withoutRow(tx: Writer, id: number, mark: Mark): Mark {
  const sql =
    'SELECT text, CAST(substr(adventure, 4) AS INTEGER) AS adventure_id FROM memory_words WHERE rowid = ?'
  const row = tx.get<Omit<IndexedMemory, 'id'>>(sql, id)
  if (row === null) return mark
  tx.run('DELETE FROM memory_words WHERE rowid = ?', id)
  return plus(mark, { id, ...row }, -1)
}

function plus(mark: Mark, { id, adventure_id, text }: IndexedMemory, sign: 1 | -1): Mark {
  const hash = Bun.hash.xxHash32(`${id} ${adventure_id} ${text}`)
  return { count: mark.count + sign, sum: mark.sum + sign * hash }
}

function readMark(reader: Reader): Mark {
  const mark =
    reader.get<{ mark: string }>('SELECT mark FROM search_marks WHERE name = ?', MARK)?.mark ?? '0 0'
  const [count = 0, sum = 0] = mark.split(' ').map(Number)
  return { count, sum }
}

function writeMark(tx: Writer, mark: Mark): void {
  tx.run('INSERT OR REPLACE INTO search_marks (name, mark) VALUES (?, ?)', MARK, written(mark))
}

function written({ count, sum }: Mark): string {
  return `${count} ${sum}`
}
