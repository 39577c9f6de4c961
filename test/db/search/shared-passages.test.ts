import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { indexSteps, runSteps } from '../../../src/app/worker/write-in-pieces.ts'
import type { Writer } from '../../../src/db/database.ts'
import type { Library } from '../../../src/db/library.ts'
import { searchPassages } from '../../../src/db/search/passage-search.ts'
import { countOutdatedRows, listRowsOf, repairSearchIndex } from '../../../src/db/search/story-index.ts'
import { insertBranch, leaveFamily } from '../../../src/db/stories/branches.ts'
import { copySteps } from '../../../src/db/stories/copy-adventure.ts'
import { show } from '../../../src/db/stories/hidden.ts'
import { deleteActions, updateActionText } from '../../../src/db/tables/actions/write.ts'
import { deleteAdventure } from '../../../src/db/tables/adventures.ts'
import { lineTerms } from '../../../src/domain/recall/line-terms.ts'
import { depth } from '../../support/depth.ts'
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
  'DELETE FROM search_shared WHERE place % 3 = 0',
  'DELETE FROM search_index WHERE rowid IN (SELECT id FROM actions WHERE id % 3 = 0)',
  'INSERT OR REPLACE INTO search_shared SELECT place, mark, place + 1 FROM search_indexed WHERE place % 4 = 0',
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
    searchPassages(reader, story, { terms: lineTerms(`${word} lantern`), endingBefore: 99 }).map(
      ({ index, score, text }) => ({ index, score, text }),
    ),
  )

describe('whatever becomes of branches', () => {
  const [library, alone] = [openLibrary(place()), openLibrary(place())]
  afterAll(() => [library, alone].map((one) => one.close()))

  test('search and recall find what they would find if nothing were shared', () => {
    fc.assert(
      fc.property(fc.array(operations, { minLength: 10, maxLength: 40 }), (all) => {
        library.write((tx) => [...storiesOf(library).keys()].map((id) => remove(tx, id)))
        expect(entries(library)).toBe(0)
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

const entries = ({ reader }: Library) =>
  reader.get<{ n: number }>(
    'SELECT count(*) AS n FROM search_index_docsize WHERE id IN (SELECT id FROM actions)',
  )?.n

describe('branches share the entries of the index', () => {
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
  const inStory = (library: Library, adventure: number, word = 'kestrel') =>
    found(library, word, { kind: 'action', adventure, limit: 100 }).length
  const anywhere = (library: Library) => found(library, 'kestrel', { kind: 'action', limit: 100 }).length
  const passage = (library: Library, story: number, index: number) =>
    storiesOf(library).get(story)?.[index]?.id ?? 0

  test('until one of them changes', () => {
    using made = family()
    const { library, first, second, third } = made
    expect(entries(library)).toBe(20)
    expect([first, second, third].map((id) => inStory(library, id))).toEqual([20, 20, 20])
    expect(anywhere(library)).toBe(20)
    library.write((tx) => {
      updateActionText(tx, passage(library, first, 3), 'The quarry is empty.', [])
      updateActionText(tx, passage(library, second, 4), 'The quarry is full.', [])
    })
    expect(entries(library)).toBe(22)
    expect([first, second, third].map((id) => inStory(library, id))).toEqual([19, 19, 20])
    expect([first, second, third].map((id) => inStory(library, id, 'quarry'))).toEqual([1, 1, 0])
    library.write((tx) => deleteActions(tx, first, [passage(library, first, 19)], now))
    expect(entries(library)).toBe(22)
    expect([first, second, third].map((id) => inStory(library, id))).toEqual([18, 19, 20])
    library.write((tx) => remove(tx, first))
    expect(entries(library)).toBe(21)
    expect([second, third].map((id) => inStory(library, id))).toEqual([19, 20])
    expect(anywhere(library)).toBe(20)
  })

  test('and have their own in a library that an earlier version has opened', () => {
    const path = place()
    const { library, first, second } = family(path)
    library.close()
    elsewhere(
      path,
      `INSERT INTO search_index (rowid, text, owner) SELECT place, upper(text), 'a' || adventure_id
         FROM search_shared JOIN actions ON id = place`,
      'INSERT INTO search_indexed (place, mark) SELECT place, mark FROM search_shared',
    )
    using again = openLibrary(path)
    expect(entries(again)).toBe(60)
    expect([first, second].map((id) => inStory(again, id))).toEqual([20, 20])
    expect(anywhere(again)).toBe(20)
  })

  test('and are found while the story that they grew from is being deleted, and after a kill in the midst of it', () => {
    const path = place()
    const { library, first, second } = family(path)
    library.write((tx) => tx.run('UPDATE adventures SET importing = 1 WHERE id = ?', first))
    expect(anywhere(library)).toBe(20)
    expect(inStory(library, first)).toBe(0)
    library.close()
    using again = openLibrary(path)
    expect(entries(again)).toBe(20)
    expect(anywhere(again)).toBe(20)
    expect(inStory(again, second)).toBe(20)
  })
})
