import { matchExpression } from '../../domain/recall/query.ts'
import type { MemoryCandidate } from '../../domain/recall/recall.ts'
import { StoryCache } from '../cache/story-cache.ts'
import type { Reader, Writer } from '../database.ts'
import { endsBefore, listCandidates, recallable } from './recallable.ts'

/** The indexed columns of a memory. */
export interface IndexedMemory {
  id: number
  adventure_id: number
  text: string
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
  const deleted = tx.column<number>(
    `SELECT rowid FROM memory_words
      WHERE memory_words MATCH ? AND rowid NOT IN (SELECT id FROM memories WHERE adventure_id = ?)`,
    `adventure : "${adventureTerm(adventureId)}"`,
    adventureId,
  )
  for (const id of deleted) unindexMemory(tx, id)
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
  const isDiffering = reader.value(
    `SELECT (SELECT count(*) FROM memory_words) <> (SELECT count(*) FROM memories) OR EXISTS
       (SELECT 1 FROM memories m JOIN memory_words w ON w.rowid = m.id
         WHERE w.text <> m.text OR w.adventure <> 'adv' || m.adventure_id)`,
  )
  return isDiffering === 1
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
): MemoryCandidate[] {
  if (query === '') return []
  const memories = recallable.get(reader, adventureId)
  const isEligible = ({ id }: Match) => {
    const memory = memories.get(id)
    return memory !== undefined && endsBefore(memory, endingBefore)
  }
  for (let count = 2 * limit; ; count *= 4) {
    const matches = listMatches(reader, adventureId, query, count)
    const eligible = matches.filter(isEligible)
    if (eligible.length >= limit || matches.length < count)
      return withTexts(reader, adventureId, eligible.slice(0, limit))
  }
}

/** The pinned memories of an adventure, newest first. */
export function listPinnedMemories(
  reader: Reader,
  adventureId: number,
  endingBefore: number,
): MemoryCandidate[] {
  const memories = recallable.get(reader, adventureId)
  const pinned = [...memories.values()].filter((memory) => memory.pinned && endsBefore(memory, endingBefore))
  const newestFirst = pinned.toReversed().map(({ id }) => ({ id, bm25: 0 }))
  return withTexts(reader, adventureId, newestFirst)
}

/** In how many memories of an adventure each word occurs, in any form. */
export function documentFrequencies(
  reader: Reader,
  adventureId: number,
  words: string[],
): Map<string, number> {
  const known = frequencies.get(reader, adventureId)
  const count = (word: string) =>
    countMatches(reader, `${inAdventure(adventureId)} AND text : ${matchExpression([{ word }])}`)
  for (const word of words) if (!known.has(word)) known.set(word, count(word))
  return new Map(words.map((word) => [word, known.get(word) ?? 0]))
}

/** The number of indexed memories of an adventure. */
export function countIndexed(reader: Reader, adventureId: number): number {
  return countMatches(reader, inAdventure(adventureId))
}

/** A memory that words have found. `bm25` is negative, and lower is better. */
type Match = Pick<MemoryCandidate, 'id' | 'bm25'>

/** The frequencies of words that were asked for. */
const frequencies = new StoryCache<Map<string, number>>({
  table: 'memories',
  // biome-ignore lint/correctness/useYield: it is filled as words are asked for
  *compute() {
    return new Map()
  },
  bytesOf: ({ size }) => size * 64,
})

function listMatches(reader: Reader, adventureId: number, query: string, limit: number): Match[] {
  return reader.all<Match>(
    `SELECT rowid AS id, bm25(memory_words, 1.0, 0.0) AS bm25 FROM memory_words
      WHERE memory_words MATCH ? ORDER BY bm25, rowid DESC LIMIT ?`,
    `${inAdventure(adventureId)} AND text : (${query})`,
    limit,
  )
}

function withTexts(reader: Reader, adventureId: number, matches: readonly Match[]): MemoryCandidate[] {
  const scores = new Map(matches.map(({ id, bm25 }) => [id, bm25]))
  return listCandidates(reader, adventureId, [...scores.keys()]).map((memory) => ({
    ...memory,
    bm25: scores.get(memory.id) ?? 0,
  }))
}

function countMatches(reader: Reader, query: string): number {
  return reader.value('SELECT count(*) FROM memory_words WHERE memory_words MATCH ?', query) ?? 0
}

function inAdventure(adventureId: number): string {
  return `adventure : "${adventureTerm(adventureId)}"`
}

/** The name of the checksum in `search_marks`. */
const CHECKSUM_NAME = 'memories'

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
  const stored = reader.value<string>('SELECT mark FROM search_marks WHERE name = ?', CHECKSUM_NAME)
  const [count = 0, sum = 0] = stored?.split(' ').map(Number) ?? []
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
