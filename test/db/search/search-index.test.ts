import { describe, expect, test } from 'bun:test'
import { runInWorker } from '../../../src/app/worker/run-in-worker.ts'
import type { Library } from '../../../src/db/library.ts'
import { listCompletions } from '../../../src/db/search/story-search.ts'
import { insertMemory } from '../../../src/db/tables/memory/memories.ts'
import { openLibrary } from '../../support/library/open.ts'
import { begin, elsewhere, found, now, place, tell } from '../../support/library/searched.ts'

describe('the index of an earlier version', () => {
  /** A library as the version before wrote it, with so many passages. */
  function leavePreviousLibrary(path: string, passages: number): void {
    const library = openLibrary(path)
    library.write((tx) => {
      const id = begin(tx, 'Old')
      for (let index = 0; index < passages; index++) tell(tx, id, index, `A silverfinch sings, ${index}.`)
      insertMemory(tx, id, { text: 'It sang.', source: { start: 0, end: 0, hash: '' } }, now)
    })
    library.close()
    elsewhere(
      path,
      'DROP TABLE search_vocabulary',
      'DROP TABLE search_index',
      'DROP TABLE search_indexed',
      "DELETE FROM schema_migrations WHERE name IN ('0018-search-by-words.sql', '0046-branches-by-themselves.sql')",
      "INSERT INTO search_words (rowid, text, owner) SELECT id, upper(text), '<1>' FROM actions",
      "INSERT INTO search_rows SELECT id, '<1> ' || octet_length(text) FROM actions",
    )
  }
  const held = ({ reader }: Library) =>
    ['search_words_docsize', 'search_rows', 'search_index_docsize'].map(
      (table) => reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n,
    )
  const staleMemories = ({ reader }: Library) =>
    reader.get<{ n: number }>('SELECT count(*) AS n FROM memories WHERE stale')?.n

  test('is replaced at once in a small library', () => {
    const path = place()
    leavePreviousLibrary(path, 5)
    const library = openLibrary(path)
    expect(found(library, 'silverfinch', { kind: 'action' })).toHaveLength(5)
    expect(held(library)).toEqual([0, 0, expect.any(Number)])
    expect(staleMemories(library)).toBe(0)
    library.close()
  })

  test('still tells which passages another program has changed', () => {
    const path = place()
    leavePreviousLibrary(path, 5)
    elsewhere(path, "UPDATE actions SET text = 'Nothing sings.' WHERE id = 1")
    const library = openLibrary(path)
    expect(staleMemories(library)).toBe(1)
    library.close()
  })

  test('is replaced by a worker in a large library', async () => {
    const path = place()
    leavePreviousLibrary(path, 800)
    const library = openLibrary(path)
    expect(library.unindexed).toBeGreaterThan(800)
    expect(held(library)).toEqual([0, 0, 0])
    const sharing = library.shareWrites()
    await runInWorker('index', { path }, new AbortController().signal)
    sharing[Symbol.dispose]()
    expect(held(library)).toEqual([0, 0, library.unindexed])
    library.close()
  })
})

test('the index takes less room than the text', () => {
  const library = openLibrary(place())
  const words = Array.from({ length: 4_000 }, (_, i) => `w${((i * 7_919) % 4_000).toString(36)}`)
  let bytes = 0
  library.write((tx) => {
    const id = begin(tx, 'Sizes')
    for (let index = 0; index < 1_000; index++) {
      const text = Array.from({ length: 180 }, (_, i) => words[(index * 31 + i * i) % 4_000]).join(' ')
      bytes += text.length
      tell(tx, id, index, text)
    }
  })
  const size = library.reader.get<{ size: number }>(
    "SELECT sum(pgsize) AS size FROM dbstat WHERE name LIKE 'search_index%'",
  )?.size
  expect((size ?? 0) / bytes).toBeLessThan(0.8)
  library.close()
})

test('a search for a beginning names few words, and leaves very many to the index', () => {
  const library = openLibrary(place())
  library.write((tx) => {
    const id = begin(tx, 'Beginnings')
    for (let index = 0; index < 5; index++)
      tell(tx, id, index, Array.from({ length: 40 }, (_, i) => `zyx${index}${i} ТЕНЬ${i}`).join(' '))
  })
  expect(listCompletions(library.reader, 'ZYX1')).toHaveLength(40)
  expect(listCompletions(library.reader, 'ТЕНЬ')).toHaveLength(40)
  expect(listCompletions(library.reader, 'ZYX')).toBeNull()
  expect(found(library, 'zyx')).toHaveLength(5)
  expect(found(library, 'zyx1 тень3')).toEqual(['action 2'])
  library.close()
})
