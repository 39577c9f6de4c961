import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Writer } from '../../../src/db/database.ts'
import {
  documentFrequencies,
  type IndexedMemory,
  indexMemory,
  listPinnedMemories,
  rebuildMemoryIndex,
  repairMemoryIndex,
  searchMemories,
  unindexDeletedMemories,
  unindexMemory,
} from '../../../src/db/search/memory-search.ts'
import { matchExpression, queryTerms, queryWords } from '../../../src/domain/recall/query.ts'
import { runs } from '../../support/depth.ts'
import { emptyLibrary, insertMemory } from '../../support/library/judged-recall.ts'

describe('finding memories', () => {
  test('finds only memories of the story that are not forgotten and no longer in the prompt', () => {
    const { tx } = emptyLibrary()
    remember(tx, { adventure_id: 1, text: 'A sword in the river.', source_start: 0, source_end: 5 })
    remember(tx, { adventure_id: 12, text: 'Another sword, adv1.', source_start: 0, source_end: 5 })
    remember(tx, { adventure_id: 1, text: 'A forgotten sword.', source_end: 5, forgotten: true })
    remember(tx, { adventure_id: 1, text: 'A sword of today.', source_end: 11 })
    remember(tx, { adventure_id: 1, text: 'A sword typed by hand.', pinned: true })
    const ids = searchMemories(tx, 1, { query: '"swords" OR "adv1"', endingBefore: 11, limit: 10 }).map(
      ({ id }) => id,
    )
    expect(ids.sort()).toEqual([1, 5])
    expect(listPinnedMemories(tx, 1, 11).map(({ id, pinned }) => [id, pinned])).toEqual([[5, true]])
    expect([...documentFrequencies(tx, 1, ['sword', 'river', 'moon', '"']).values()]).toEqual([4, 1, 0, 0])
  })

  test('works with any text that a player types', () => {
    const { tx } = emptyLibrary()
    remember(tx, { adventure_id: 1, text: 'A sword in the river.' })
    const hostile = fc.constantFrom(
      '" OR *',
      'NEAR(',
      'text:',
      '-',
      '^',
      '{',
      '"',
      "'",
      ';',
      '\0',
      '\ud800',
      'AND',
    )
    const text = fc
      .array(fc.oneof(hostile, fc.string({ unit: 'binary' }), fc.string()))
      .map((parts) => parts.join(' '))
    fc.assert(
      fc.property(text, fc.string({ unit: 'binary', minLength: 1 }), (line, key) => {
        const texts = { newest: [line, key], line }
        const frequencies = documentFrequencies(tx, 1, [...queryWords(texts), line, key])
        const found = (word: string) => (frequencies.get(word) ?? 0) + 1
        const terms = queryTerms(texts, { cardKeys: [key], frequency: found, total: 1 })
        searchMemories(tx, 1, { query: matchExpression(terms), endingBefore: 9, limit: 9 })
        const query = matchExpression([{ word: line }, { word: key }])
        searchMemories(tx, 1, { query, endingBefore: 9, limit: 9 })
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('the index', () => {
  const step = fc.record({
    kind: fc.constantFrom('insert', 'edit', 'delete', 'undo'),
    pick: fc.nat(),
    adventure: fc.integer({ min: 1, max: 3 }),
    text: fc.oneof(fc.string(), fc.constantFrom('A sword.', 'The river rose.', 'Sword and river.')),
  })

  test('updated step by step equals a rebuilt one', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { tx } = emptyLibrary()
        for (const one of steps) take(tx, one)
        const kept = contents(tx)
        expect(repairMemoryIndex(tx)).toBe(false)
        rebuildMemoryIndex(tx)
        expect(kept).toEqual(contents(tx))
        tx.run("INSERT INTO memory_words (memory_words) VALUES ('integrity-check')")
      }),
      { numRuns: runs(60) },
    )
  })

  const foreign: [what: string, sql: string][] = [
    ['a new memory', "INSERT INTO memories (adventure_id, text, created_at) VALUES (1, 'The moon.', '2026')"],
    ['an edit of the same length', "UPDATE memories SET text = 'A swarm in the river.' WHERE id = 1"],
    ['a removal', 'DELETE FROM memories WHERE id = 1'],
    ['two texts that changed places', 'UPDATE memories SET id = 3 - id + 10'],
    ['a move to another story', 'UPDATE memories SET adventure_id = 9 WHERE id = 2'],
  ]
  for (const [what, sql] of foreign)
    test(`${what} by another program is noticed`, () => {
      const { tx } = emptyLibrary()
      remember(tx, { adventure_id: 1, text: 'A sword in the river.' })
      remember(tx, { adventure_id: 1, text: 'The key of the gate.' })
      expect(repairMemoryIndex(tx)).toBe(false)
      tx.run(sql)
      expect(repairMemoryIndex(tx)).toBe(true)
      expect(repairMemoryIndex(tx)).toBe(false)
      expect(contents(tx)).toEqual(memories(tx))
    })

  test('does not change when a memory is used, pinned or forgotten', () => {
    const { tx } = emptyLibrary()
    remember(tx, { adventure_id: 1, text: 'A sword in the river.' })
    tx.run('UPDATE memories SET use_count = 4, pinned = 1, forgotten = 1')
    expect(repairMemoryIndex(tx)).toBe(false)
  })
})

interface Step {
  kind: string
  pick: number
  adventure: number
  text: string
}

function take(tx: Writer, { kind, pick, adventure, text }: Step): void {
  const ids = tx.all<{ id: number; adventure_id: number }>(
    'SELECT id, adventure_id FROM memories ORDER BY id',
  )
  const one = ids[pick % Math.max(1, ids.length)]
  if (kind === 'insert' || one === undefined) {
    remember(tx, { adventure_id: adventure, text })
  } else if (kind === 'edit') {
    tx.update('memories', one.id, { text })
    indexStored(tx, one.id)
  } else if (kind === 'undo') {
    tx.run('DELETE FROM memories WHERE adventure_id = ? AND id >= ?', one.adventure_id, one.id)
    unindexDeletedMemories(tx, one.adventure_id)
  } else {
    tx.run('DELETE FROM memories WHERE id = ?', one.id)
    unindexMemory(tx, one.id)
  }
}

function remember(tx: Writer, record: Record<string, string | number | boolean>): void {
  indexStored(tx, insertMemory(tx, record))
}

function indexStored(tx: Writer, id: number): void {
  const stored = tx.get<IndexedMemory>('SELECT id, adventure_id, text FROM memories WHERE id = ?', id)
  if (stored) indexMemory(tx, stored)
}

function contents(tx: Writer): unknown[] {
  return tx.all('SELECT rowid AS id, text, adventure FROM memory_words ORDER BY rowid')
}

function memories(tx: Writer): unknown[] {
  return tx.all("SELECT id, text, 'adv' || adventure_id AS adventure FROM memories ORDER BY id")
}
