import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Reader, type Writer, writerFor } from '../../../src/db/database.ts'
import { searchStory } from '../../../src/db/search/recall-search.ts'
import { rowidOf } from '../../../src/db/search/searchable-rows.ts'
import { readTexts } from '../../../src/db/search/story-texts.ts'
import { textVectors, upsertVector } from '../../../src/db/search/text-vectors.ts'
import { deleteAdventure } from '../../../src/db/tables/adventures.ts'
import {
  deleteMemory,
  insertMemory,
  markMemoriesStale,
  updateMemory,
  updateMemoryUse,
} from '../../../src/db/tables/memory/memories.ts'
import {
  deleteCard,
  insertCard,
  storyCards,
  swapCardOrder,
  updateCard,
} from '../../../src/db/tables/story-cards.ts'
import { lineTerms } from '../../../src/domain/recall/line-terms.ts'
import { runs } from '../../support/depth.ts'
import { openLibrary } from '../../support/library/open.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const WORDS = ['sword', 'river', 'moon', 'lamp']
const CARD = { type: '', name: '', entry: 'An entry.', notes: '' }

type Write = (tx: Writer) => void

const story = fc.constantFrom(1, 2)
const id = fc.integer({ min: 1, max: 5 })
const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '))
const vector = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 3, maxLength: 3 })

const write = fc.oneof(
  fc.record({ story, text, end: fc.option(fc.integer({ min: 0, max: 9 })) }).map(
    ({ story, text, end }): Write =>
      (tx) =>
        insertMemory(tx, story, { text, source: end === null ? null : { start: end, end, hash: '' } }, NOW),
  ),
  fc.record({ story, id, text }).map(
    ({ story, id, text }): Write =>
      (tx) =>
        ownerOf(tx, id) === story && updateMemory(tx, id, { text }),
  ),
  fc.record({ id, flag: fc.constantFrom('pinned', 'forgotten'), value: fc.boolean() }).map(
    ({ id, flag, value }): Write =>
      (tx) =>
        updateMemory(tx, id, { [flag]: value }),
  ),
  fc.record({ id, vector, model: fc.constantFrom('e', 'f') }).map(
    ({ id, vector, model }): Write =>
      (tx) =>
        readTexts(tx, ownerOf(tx, id) ?? 0, [rowidOf('memory', id)]).map((text) =>
          upsertVector(tx, ownerOf(tx, id) ?? 0, text, { model, vector: Float32Array.from(vector) }),
        ),
  ),
  fc.record({ story, end: fc.nat(9) }).map(
    ({ story, end }): Write =>
      (tx) =>
        markMemoriesStale(tx, story, end),
  ),
  id.map(
    (id): Write =>
      (tx) =>
        deleteMemory(tx, id),
  ),
  id.map(
    (id): Write =>
      (tx) =>
        updateMemoryUse(tx, [id], NOW),
  ),
  fc.record({ story, text }).map(
    ({ story, text }): Write =>
      (tx) =>
        insertCard(tx, { adventure_id: story }, { ...CARD, keys: text }, null),
  ),
  fc.record({ id, text }).map(
    ({ id, text }): Write =>
      (tx) =>
        updateCard(tx, id, { entry: text }),
  ),
  fc.record({ one: id, other: id }).map(
    ({ one, other }): Write =>
      (tx) =>
        swapCardOrder(tx, one, other),
  ),
  id.map(
    (id): Write =>
      (tx) =>
        deleteCard(tx, id),
  ),
)

/** How a write reaches the file, or does not. */
const way = fc.constantFrom('service', 'service', 'service', 'elsewhere', 'undone')

test('what is kept in memory for recall is what the file says, whoever writes', () => {
  const path = join(temporaryFolder(), 'library.db')
  using library = openLibrary(path, { starters: [] })
  using db = new Database(path, { strict: true })
  const other = writerFor(db)
  fc.assert(
    fc.property(fc.array(fc.record({ write, way }), { minLength: 25, maxLength: 40 }), (writes) => {
      library.write(beginStories)
      for (const { write, way } of writes) {
        if (way === 'elsewhere') db.transaction(() => write(other)).immediate()
        else if (way === 'service') library.write((tx) => void write(tx))
        else expect(() => library.write((tx) => undo(tx, write, library.reader))).toThrow('undone')
        expect(recalled(library.reader)).toEqual(recalled(other))
      }
      library.write((tx) => deleteAdventure(tx, 1))
      expect(recalled(library.reader)).toEqual(recalled(other))
    }),
    { numRuns: runs(30) },
  )
})

function beginStories(tx: Writer): void {
  for (const id of [1, 2]) {
    deleteAdventure(tx, id)
    tx.insert('adventures', { id, title: 'A story', memory_bank_enabled: true })
  }
}

function undo(tx: Writer, write: Write, reader: Reader): void {
  write(tx)
  recalled(reader)
  throw new Error('undone')
}

/** Everything that is kept in memory, for both stories. */
function recalled(reader: Reader) {
  const query = { model: 'e', line: Float64Array.from([1, 2, 0]) }
  return [1, 2].map((story) => ({
    found: searchStory(reader, story, { terms: lineTerms('sword or moon'), endingBefore: 7, query }),
    vectors: textVectors.get(reader, story),
    cards: storyCards.get(reader, story),
  }))
}

function ownerOf(tx: Writer, id: number): number | undefined {
  return tx.get<{ adventure_id: number }>('SELECT adventure_id FROM memories WHERE id = ?', id)?.adventure_id
}
