import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { proseFrom } from '../../../bench/prose.ts'
import { runInWorker } from '../../../src/app/worker/run-in-worker.ts'
import { indexSteps, runSteps } from '../../../src/app/worker/write-in-pieces.ts'
import type { Writer } from '../../../src/db/database.ts'
import type { Library } from '../../../src/db/library.ts'
import { searchStory } from '../../../src/db/search/recall-search.ts'
import { countOutdatedRows, listRowsOf, repairSearchIndex } from '../../../src/db/search/story-index.ts'
import { pendingTexts, textVectors, upsertVector } from '../../../src/db/search/text-vectors.ts'
import { insertBranch, leaveFamily } from '../../../src/db/stories/branches.ts'
import { copySteps } from '../../../src/db/stories/copy-adventure.ts'
import { show } from '../../../src/db/stories/hidden.ts'
import { deleteActions, updateActionText } from '../../../src/db/tables/actions/write.ts'
import { deleteAdventure } from '../../../src/db/tables/adventures.ts'
import { lineTerms } from '../../../src/domain/recall/line-terms.ts'
import { depth } from '../../support/depth.ts'
import { BEFORE_0048 } from '../../support/library/before-0048.ts'
import { openLibrary } from '../../support/library/open.ts'
import { begin, elsewhere, found, now, place, tell } from '../../support/library/searched.ts'

interface Passage {
  id: number
  adventure_id: number
  index: number
  text: string
  family: number | null
  branched_from: number | null
  branched_at: number | null
}

const passagesOf = ({ reader }: Library) =>
  reader.all<Passage>(
    `SELECT actions.id, adventure_id, "index", text, family, branched_from, branched_at
       FROM actions JOIN adventures ON adventures.id = adventure_id ORDER BY adventure_id, "index"`,
  )
const storiesOf = (library: Library) => Map.groupBy(passagesOf(library), (one) => one.adventure_id)

function branch(tx: Writer, from: number, at: Pick<Passage, 'id' | 'index'>): number {
  const steps = copySteps(from, { title: 'Branch', end: at, now, written: [] })
  const id = runSteps(tx, steps)
  show(tx, { adventures: [id], scenarios: [] })
  insertBranch(tx, id, { from, at: at.index, name: 'Branch', title: 'Branch' })
  runSteps(tx, indexSteps(listRowsOf(tx, id)))
  return id
}

function remove(tx: Writer, id: number): void {
  leaveFamily(tx, id)
  deleteAdventure(tx, id)
}

const WORDS = ['lantern', 'kestrel', 'quarry', 'thimble', 'anchor']
const texts = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
const operations = fc.record({
  kind: fc.constantFrom(
    ...['tell', 'tell', 'branch', 'branch', 'edit', 'edit', 'alike', 'undo', 'delete'],
    ...['edited elsewhere', 'deleted elsewhere', 'story deleted elsewhere', 'torn'],
  ),
  where: fc.nat(),
  text: texts.map((words) => words.join(' ')),
})
type Operation = typeof operations extends fc.Arbitrary<infer One> ? One : never

/** Tables of the index that lose rows, as if something else than a transaction had written them. */
const TORN = [
  'DELETE FROM search_indexed WHERE place % 3 = 0',
  'DELETE FROM search_index WHERE rowid IN (SELECT id FROM actions WHERE id % 3 = 0)',
]

function run(tx: Writer, library: Library, { kind, where, text }: Operation): void {
  const all = passagesOf(library)
  const one = all[where % Math.max(1, all.length)]
  if (one === undefined) return void tell(tx, begin(tx, 'Story'), 0, text)
  const last = all.filter((other) => other.adventure_id === one.adventure_id).at(-1) ?? one
  const told = all.find(
    ({ adventure_id, index }) => adventure_id === one.branched_from && index === one.index,
  )
  if (kind === 'tell') tell(tx, one.adventure_id, last.index + 1, text)
  if (kind === 'branch' && storiesOf(library).size < 8) branch(tx, one.adventure_id, one)
  if (kind === 'edit') updateActionText(tx, one.id, text, [])
  if (kind === 'alike' && told) updateActionText(tx, one.id, told.text, [])
  if (kind === 'undo') deleteActions(tx, one.adventure_id, [last.id], now)
  if (kind === 'delete') remove(tx, one.adventure_id)
  // What is rewritten elsewhere at exactly the same length goes unnoticed.
  if (kind === 'edited elsewhere')
    tx.run('UPDATE actions SET text = ? WHERE id = ?', text.padEnd(one.text.length + 1, ' x'), one.id)
  if (kind === 'deleted elsewhere') tx.run('DELETE FROM actions WHERE id = ?', one.id)
  if (kind === 'story deleted elsewhere') tx.run('DELETE FROM adventures WHERE id = ?', one.adventure_id)
  if (kind === 'torn') tx.run(TORN[where % TORN.length] ?? '')
  if (kind.endsWith('elsewhere') || kind === 'torn') repairSearchIndex(tx)
}

/** What recall finds in a story, by index. */
const recalled = ({ reader }: Library, story: number) =>
  WORDS.map((word) =>
    searchStory(reader, story, { terms: lineTerms(`${word} lantern`), endingBefore: 99 }).map(
      ({ index, score, text }) => ({ index, score, text }),
    ),
  )

describe('whatever becomes of branches', () => {
  const [library, alone] = [openLibrary(place()), openLibrary(place())]
  afterAll(() => [library, alone].map((one) => one.close()))

  test('search and recall find what they would find in stories of their own', () => {
    fc.assert(
      fc.property(fc.array(operations, { minLength: 10, maxLength: 40 }), (all) => {
        library.write((tx) => [...storiesOf(library).keys()].map((id) => remove(tx, id)))
        for (const operation of all) library.write((tx) => run(tx, library, operation))
        expect(countOutdatedRows(library.reader)).toEqual({ missing: 0, different: 0 })
        const passages = passagesOf(library)
        for (const word of WORDS) {
          const having = passages.filter(({ text }) => text.split(' ').includes(word))
          for (const story of storiesOf(library).keys())
            expect(found(library, word, { kind: 'action', adventure: story, limit: 100 })).toEqual(
              having
                .filter(({ adventure_id }) => adventure_id === story)
                .map(({ id }) => `action ${id}`)
                .sort(byId),
            )
          const anywhere = found(library, word, { kind: 'action', limit: 100 })
          const sameAs = ({ family, index, text, adventure_id }: Passage) =>
            having.filter(
              (other) =>
                other.index === index &&
                other.text === text &&
                (other.adventure_id === adventure_id || (family !== null && other.family === family)),
            )
          // Each is found, by itself or by one that a branch shares; none beside the one that it shares.
          for (const one of having)
            expect(sameAs(one).some(({ id }) => anywhere.includes(`action ${id}`))).toBe(true)
          for (const one of having.filter((own) => isShared(own, passages)))
            expect(anywhere).not.toContain(`action ${one.id}`)
        }
        for (const [story, own] of storiesOf(library)) {
          const copy = alone.write((tx) => {
            const id = begin(tx, 'Alone')
            for (const { index, text } of own) tell(tx, id, index, text)
            return id
          })
          expect(recalled(library, story)).toEqual(recalled(alone, copy))
          alone.write((tx) => deleteAdventure(tx, copy))
        }
      }),
      { numRuns: Math.ceil(depth('BRANCHES') / 5) },
    )
  }, 600_000)

  const byId = (one: string, other: string) => Number(other.split(' ')[1]) - Number(one.split(' ')[1])
  const isShared = (own: Passage, all: Passage[]) =>
    own.family !== null &&
    own.index <= (own.branched_at ?? -1) &&
    all.some(
      (told) =>
        told.adventure_id === own.branched_from &&
        told.family === own.family &&
        told.index === own.index &&
        told.text === own.text,
    )
})

describe('a passage that branches have in common', () => {
  /** A story of 20 passages, a branch of it, and a branch of that. */
  function family(path = place()) {
    const library = openLibrary(path)
    const newest = () => passagesOf(library).at(-1) as Passage
    const [first, second, third] = library.write((tx) => {
      const id = begin(tx, 'First')
      for (let index = 0; index < 20; index++) tell(tx, id, index, `The kestrel sits on stone ${index}.`)
      const second = branch(tx, id, newest())
      return [id, second, branch(tx, second, newest())] as const
    })
    return { library, first, second, third, [Symbol.dispose]: () => library.close() }
  }
  const inStory = (library: Library, adventure: number) =>
    found(library, 'kestrel', { kind: 'action', adventure, limit: 100 }).length
  const anywhere = (library: Library) => found(library, 'kestrel', { kind: 'action', limit: 100 }).length
  const passage = (library: Library, story: number, index: number) =>
    storiesOf(library).get(story)?.[index]?.id ?? 0

  test('is found once in the library, until one of them changes', () => {
    using made = family()
    const { library, first, second, third } = made
    expect([first, second, third].map((id) => inStory(library, id))).toEqual([20, 20, 20])
    expect(anywhere(library)).toBe(20)
    library.write((tx) => updateActionText(tx, passage(library, first, 3), 'The quarry is empty.', []))
    expect([first, second, third].map((id) => inStory(library, id))).toEqual([19, 20, 20])
    expect(anywhere(library)).toBe(20)
    library.write((tx) => remove(tx, first))
    expect([second, third].map((id) => inStory(library, id))).toEqual([20, 20])
    expect(anywhere(library)).toBe(20)
  })

  test('is found while the story that they grew from is being deleted', () => {
    using made = family()
    const { library, first } = made
    library.write((tx) => tx.run('UPDATE adventures SET importing = 1 WHERE id = ?', first))
    expect(anywhere(library)).toBe(20)
    expect(inStory(library, first)).toBe(0)
  })

  test('leaves recall as it was, however many branches there are', () => {
    using library = openLibrary(place())
    // Words in every passage: with those of all branches they would be too common to be looked for.
    const text = (index: number) => `The kestrel ${index} sits on stone. ${index % 97 ? '' : 'A lantern.'}`
    const story = library.write((tx) => {
      const id = begin(tx, 'First')
      for (let index = 0; index < 900; index++) tell(tx, id, index, text(index))
      return id
    })
    const recalled = (id: number) =>
      searchStory(library.reader, id, {
        terms: lineTerms('A kestrel and a lantern'),
        endingBefore: 800,
      }).map(({ index, score }) => ({ index, score }))
    const before = recalled(story)
    const last = passagesOf(library).at(-1) as Passage
    const branches = Array.from({ length: 12 }, () => library.write((tx) => branch(tx, story, last)))
    expect(recalled(story)).toEqual(before)
    expect(recalled(branches.at(-1) ?? 0)).toEqual(before)
  })

  test('takes at most 1.7 times the room of its row, with its index', () => {
    using library = openLibrary(place())
    const { reader } = library
    const prose = proseFrom(1)
    library.write((tx) => {
      const id = begin(tx, 'First')
      for (let index = 0; index < 1_000; index++) tell(tx, id, index, prose(index % 2 ? 100 : 1_650))
    })
    const used = () =>
      (reader.value<number>('PRAGMA page_count') ?? 0) - (reader.value<number>('PRAGMA freelist_count') ?? 0)
    const rows = reader.value<number>('SELECT sum(octet_length(text)) FROM actions') ?? 0
    const before = used()
    library.write((tx) => branch(tx, 1, passagesOf(library).at(-1) as Passage))
    const growth = (used() - before) * (reader.value<number>('PRAGMA page_size') ?? 0)
    expect(growth / rows).toBeLessThan(1.7)
  })
})

describe('a library of before 0046, in which branches share entries and vectors', () => {
  const [model, vector] = ['m', (index: number) => Float32Array.from([1, index / 10, 0.5])]

  /** A story of so many passages with vectors, and two branches, as the version before wrote them. */
  function leavePreviousLibrary(path: string, passages: number): void {
    const library = openLibrary(path)
    const first = library.write((tx) => {
      const id = begin(tx, 'First')
      for (let index = 0; index < passages; index++) tell(tx, id, index, `A kestrel sits on stone ${index}.`)
      const { texts } = pendingTexts(tx, id, { model, before: passages, limit: passages })
      for (const [index, text] of texts.entries())
        upsertVector(tx, id, text, { model, vector: vector(index) })
      return id
    })
    for (let n = 0; n < 2; n++)
      library.write((tx) => branch(tx, first, passagesOf(library).at(-1) as Passage))
    library.close()
    const shared = `SELECT id FROM actions WHERE adventure_id <> ${first}`
    elsewhere(
      path,
      `INSERT INTO search_shared SELECT place, mark, own."index" + 1 FROM search_indexed JOIN actions own ON own.id = place
        WHERE place IN (${shared})`,
      `DELETE FROM search_indexed WHERE place IN (${shared})`,
      `DELETE FROM search_index WHERE rowid IN (${shared})`,
      ...BEFORE_0048,
      'INSERT OR IGNORE INTO shared_passage_vectors SELECT model, text_hash, vector FROM passage_vectors',
      "UPDATE passage_vectors SET vector = x''",
      "DELETE FROM schema_migrations WHERE name = '0046-branches-by-themselves.sql'",
    )
  }

  for (const passages of [20, 400])
    test(`is found in each of them, with ${passages} passages`, async () => {
      const path = place()
      leavePreviousLibrary(path, passages)
      using library = openLibrary(path)
      const { reader } = library
      using _ = library.shareWrites()
      await runInWorker('index', { path }, new AbortController().signal)
      expect(countOutdatedRows(reader)).toEqual({ missing: 0, different: 0 })
      const searched = { terms: lineTerms('stone 7'), endingBefore: passages }
      const query = { model, line: Float64Array.from(vector(7)) }
      const stories = [...storiesOf(library).keys()].map((id) => ({
        found: found(library, 'kestrel', { kind: 'action', adventure: id, limit: 100 }).length,
        recalled: searchStory(reader, id, { ...searched, query }).map(({ index, meaning }) => [
          index,
          meaning,
        ]),
        vectors: [...textVectors.get(reader, id).values()].map((one) => [...one.vector.values]),
      }))
      expect(stories).toHaveLength(3)
      expect(stories[0]?.vectors).toHaveLength(passages)
      expect(stories[0]?.recalled[0]?.[0]).toBe(7)
      for (const one of stories) expect(one).toEqual(stories[0] as typeof one)
      expect(found(library, 'kestrel', { kind: 'action', limit: 1_000 })).toHaveLength(
        Math.min(passages, 100),
      )
      for (const table of ['search_shared', 'shared_passage_vectors'])
        expect(reader.value(`SELECT count(*) FROM ${table}`)).toBe(0)
    })

  test('tells which passages another program has changed', () => {
    const path = place()
    leavePreviousLibrary(path, 5)
    elsewhere(path, 'UPDATE actions SET text = \'A lantern.\' WHERE adventure_id = 2 AND "index" = 3')
    using library = openLibrary(path)
    expect(found(library, 'lantern', { kind: 'action' })).toHaveLength(1)
    expect(found(library, 'kestrel', { kind: 'action', adventure: 2 })).toHaveLength(4)
    expect(countOutdatedRows(library.reader)).toEqual({ missing: 0, different: 0 })
  })
})
