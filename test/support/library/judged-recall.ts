import { Database } from 'bun:sqlite'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Writer, writerFor } from '../../../src/db/database.ts'
import { allMigrations, migrationText } from '../../../src/db/library/migrate.ts'
import {
  countIndexed,
  documentFrequencies,
  rebuildMemoryIndex,
  searchMemories,
} from '../../../src/db/search/memory-search.ts'
import {
  matchExpression,
  queryTerms,
  queryWords,
  type RecallTexts,
} from '../../../src/domain/recall/query.ts'
import { type MemoryCandidate, pickMemories, scoreMemories } from '../../../src/domain/recall/recall.ts'

export interface Story {
  memories: { text: string; source_start: number; source_end: number }[]
  askings: { fact: number; newest: string[]; line: string; index: number }[]
}

const folder = join(import.meta.dir, '../../domain/recall')

export const STORY: Story = JSON.parse(readFileSync(join(folder, 'planted/story.json'), 'utf8'))

/** An in-memory library with all tables and the index. */
export function emptyLibrary(): { db: Database; tx: Writer } {
  const db = new Database(':memory:', { strict: true })
  for (const pragma of ['foreign_keys = OFF', 'trusted_schema = OFF']) db.run(`PRAGMA ${pragma}`)
  for (const name of allMigrations()) db.run(migrationText(name))
  return { db, tx: writerFor(db) }
}

export function insertMemory(tx: Writer, record: Record<string, string | number | boolean | null>): number {
  return tx.insert('memories', { created_at: '2026-01-01 00:00:00.000000', ...record })
}

/** The reference story as adventure 1; memory n has the id n + 1. */
export function judgedLibrary(): Writer {
  const { tx } = emptyLibrary()
  for (const [index, memory] of STORY.memories.entries())
    insertMemory(tx, { id: index + 1, adventure_id: 1, ...memory })
  rebuildMemoryIndex(tx)
  return tx
}

export type Finder = (tx: Writer, texts: RecallTexts, endingBefore: number) => number[]

/** The ids of the memories that the program recalls. */
export const ranked: Finder = (tx, texts, endingBefore) => {
  const frequencies = documentFrequencies(tx, 1, queryWords(texts))
  const terms = queryTerms(texts, {
    cardKeys: [],
    frequency: (word) => frequencies.get(word) ?? 0,
    total: countIndexed(tx, 1),
  })
  const candidates: MemoryCandidate[] = searchMemories(tx, 1, {
    query: matchExpression(terms),
    endingBefore,
    limit: 200,
  })
  return pickMemories(scoreMemories(candidates, terms), { k: 5, tokens: 350 }).map(({ id }) => id)
}

/** The rarest 24 words of the turn, in the order of SQLite's bm25: the baseline that the ranking must beat. */
export const baseline: Finder = (tx, texts, endingBefore) => {
  const frequencies = documentFrequencies(tx, 1, queryWords(texts))
  const terms = queryWords(texts)
    .map((word) => ({ word, count: frequencies.get(word) ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => one.count - other.count)
    .slice(0, 24)
  return searchMemories(tx, 1, { query: matchExpression(terms), endingBefore, limit: 5 }).map(({ id }) => id)
}

type Asking = Story['askings'][number]

/** The expected facts that `find` missed. `everything`: all memories may be found, not only those outside the window. */
export function missed(
  tx: Writer,
  find: Finder,
  everything: boolean,
  change = (one: Asking) => one,
): Asking[] {
  return STORY.askings.filter((asking) => {
    const { fact, newest, line, index } = change(asking)
    const before = everything ? Number.MAX_SAFE_INTEGER : index - WINDOW
    return !find(tx, { newest, line }, before).includes(fact + 1)
  })
}

/** The same turn with replies of several hundred words: five passages of other turns after each. */
export function padded(asking: Asking): Asking {
  const place = STORY.askings.indexOf(asking)
  const passages = (shift: number) =>
    [0, 7, 14, 21, 28].map((step) => STORY.askings[(place + shift + step) % 100]?.newest[0] ?? '')
  const [older = '', played = '', newest = ''] = asking.newest
  return {
    ...asking,
    newest: [[older, ...passages(11)].join(' '), played, [newest, ...passages(37)].join(' ')],
  }
}

/** The actions that fit into a window of 16,384 tokens. */
const WINDOW = 120
