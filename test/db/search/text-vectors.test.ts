import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Library } from '../../../src/db/library.ts'
import { searchStory } from '../../../src/db/search/recall-search.ts'
import { rowidOf } from '../../../src/db/search/searchable-rows.ts'
import { pendingTexts, textVectors, upsertVector } from '../../../src/db/search/text-vectors.ts'
import {
  deleteActions,
  insertAction,
  updateActionText,
  updateLiveVariant,
} from '../../../src/db/tables/actions/write.ts'
import { deleteMemory, insertMemory, updateMemory } from '../../../src/db/tables/memory/memories.ts'
import { passageInContext } from '../../../src/domain/recall/embedded-text.ts'
import { lineTerms } from '../../../src/domain/recall/line-terms.ts'
import { worthRecalling } from '../../../src/domain/recall/ranking.ts'
import { normalised, vectorToBytes } from '../../../src/domain/recall/vectors.ts'
import { runs } from '../../support/depth.ts'
import { BEFORE_0048 } from '../../support/library/before-0048.ts'
import { openLibrary } from '../../support/library/open.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const WORDS = ['lantern', 'kestrel', 'quarry', 'thimble']
/** Each word has a direction of its own. */
const meaning = (text: string) => Float32Array.from(WORDS, (word) => (text.includes(word) ? 1 : 0.1))
const queryFor = (text: string) => ({
  model: 'm',
  line: Float64Array.from(meaning(text)),
})

/** What is to be embedded of a passage. */
function inContext(told: readonly { text: string }[], one: { text: string }): string {
  return passageInContext({
    text: one.text,
    before: told[told.indexOf(one) - 1]?.text ?? '',
  })
}

const operation = fc.oneof(
  fc.record({
    kind: fc.constantFrom('embed', 'embed', 'elsewhere', 'reopen'),
    word: fc.constantFrom(...WORDS),
    at: fc.nat(9),
  }),
  fc.record({
    kind: fc.constantFrom('add', 'add', 'edit', 'retell', 'delete'),
    word: fc.constantFrom(...WORDS),
    at: fc.nat(9),
  }),
)

test('after any writes a vector is found by the text that it was made of, and never by an older one', () => {
  fc.assert(
    fc.property(fc.array(operation, { minLength: 8, maxLength: 25 }), (operations) => {
      const path = join(temporaryFolder(), 'library.db')
      let library = opened(path)
      let told: { id: number; text: string; embedded: string | null }[] = []
      let next = 0
      for (const { kind, word, at } of operations) {
        const one = told[at % Math.max(1, told.length)]
        if (kind === 'reopen') {
          library.close()
          library = opened(path)
        } else if (kind === 'elsewhere') {
          // Of the same length, so that only the hash tells.
          if (one) elsewhere(path, one.id, word.padEnd(one.text.length).slice(0, one.text.length))
          if (one) one.text = word.padEnd(one.text.length).slice(0, one.text.length)
        } else
          library.write((tx) => {
            if (kind === 'add') {
              const id = insertAction(
                tx,
                { adventure_id: 1, index: next++, type: 'ai', text: word, world_state_before: null },
                NOW,
              )
              told.push({ id, text: word, embedded: null })
            } else if (kind === 'embed') {
              const { texts } = pendingTexts(library.reader, 1, {
                model: 'm',
                before: Infinity,
                limit: 2,
              })
              for (const text of texts) upsertVector(tx, 1, text, { model: 'm', vector: meaning(text.text) })
              for (const passage of texts)
                for (const known of told)
                  if (known.id === passage.id) known.embedded = passageInContext(passage)
            } else if (one && kind === 'delete') {
              deleteActions(tx, 1, [one.id], NOW)
              told = told.filter((other) => other !== one)
            } else if (one) {
              if (kind === 'edit') updateActionText(tx, one.id, word, [])
              else updateLiveVariant(tx, one.id, live(word))
              one.text = word
              // A vector of the same texts stays.
              const [, after] = told.slice(told.indexOf(one))
              for (const changed of [one, ...(after ? [after] : [])])
                if (changed.embedded !== inContext(told, changed)) changed.embedded = null
            }
          })
        const stored = textVectors.get(library.reader, 1)
        for (const { id, embedded } of told) if (embedded === null) expect(stored.has(id)).toBe(false)
        expect([...stored.keys()].filter((id) => !told.some((known) => known.id === id))).toEqual([])
        for (const wanted of WORDS) {
          const hits = searchStory(library.reader, 1, {
            terms: lineTerms(wanted),
            endingBefore: Infinity,
            query: queryFor(wanted),
          })
          for (const { id, meaning: stands } of hits) {
            const known = told.find((other) => other.id === id)
            if (known && known.embedded !== inContext(told, known)) expect(stands).toBe(0)
          }
        }
      }
      library.close()
    }),
    { numRuns: runs(24) },
  )
})

test('a passage without a word of the line is found by what it means, and only before the window', () => {
  using library = opened(join(temporaryFolder(), 'library.db'))
  const texts = Array.from({ length: 40 }, (_, i) =>
    i === 7 ? 'A small lamp, a lantern.' : `The road goes on, ${i}.`,
  )
  library.write((tx) => {
    for (const [index, text] of texts.entries())
      insertAction(tx, { adventure_id: 1, index, type: 'ai', text, world_state_before: null }, NOW)
  })
  const {
    texts: pending,
    left,
    all,
  } = pendingTexts(library.reader, 1, { model: 'm', before: 30, limit: 100 })
  expect([pending.length, left, all]).toEqual([30, 30, 30])
  library.write((tx) => {
    for (const text of pending) upsertVector(tx, 1, text, { model: 'm', vector: meaning(text.text) })
  })
  const first = (endingBefore: number, model = 'm') =>
    searchStory(library.reader, 1, {
      terms: [],
      endingBefore,
      query: { ...queryFor('lantern'), model },
    })[0]
  expect(first(30)).toMatchObject({ index: 7, terms: [], score: 0 })
  expect(first(30)?.meaning).toBeGreaterThan(3)
  expect(first(7)?.index).not.toBe(7)
  expect(first(30, 'other')?.meaning ?? 0).toBe(0)
})

test('the vector of a note is of its text, survives being forgotten, and makes it worth recalling by meaning alone', () => {
  using library = opened(join(temporaryFolder(), 'library.db'))
  const others = Array.from({ length: 20 }, (_, i) => `The road goes on, ${i}.`)
  const ids = library.write((tx) =>
    ['A lantern.', ...others].map((text) => insertMemory(tx, 1, { text, source: null }, NOW)),
  )
  const embed = () => {
    const { texts } = pendingTexts(library.reader, 1, { model: 'm', before: 0, limit: 100 })
    library.write((tx) => {
      for (const text of texts) upsertVector(tx, 1, text, { model: 'm', vector: meaning(text.text) })
    })
    return texts.map(({ text }) => text)
  }
  const recalled = () => {
    const search = { terms: lineTerms('fire'), endingBefore: 0, query: queryFor('lantern') }
    return worthRecalling(searchStory(library.reader, 1, search), false).map(({ text }) => text)
  }
  expect(recalled()).toEqual([])
  expect(embed()).toHaveLength(21)
  expect(recalled()).toEqual(['A lantern.'])
  const id = ids[0] ?? 0
  library.write((tx) => updateMemory(tx, id, { forgotten: true }))
  expect(recalled()).toEqual([])
  library.write((tx) => updateMemory(tx, id, { forgotten: false }))
  expect([recalled(), embed()]).toEqual([['A lantern.'], []])
  library.write((tx) => updateMemory(tx, id, { text: 'A kestrel.' }))
  expect([recalled(), embed(), recalled()]).toEqual([[], ['A kestrel.'], []])
  library.write((tx) => deleteMemory(tx, id))
  expect(textVectors.get(library.reader, 1).has(rowidOf('memory', id))).toBe(false)
})

test('vectors of a library from before there was one table are taken over, and none is made again', () => {
  const path = join(temporaryFolder(), 'library.db')
  const library = opened(path)
  const ids = library.write((tx) => {
    insertAction(
      tx,
      { adventure_id: 1, index: 0, type: 'ai', text: 'Quarry.', world_state_before: null },
      NOW,
    )
    const [passage] = pendingTexts(tx, 1, { model: 'm', before: 9, limit: 9 }).texts
    if (passage) upsertVector(tx, 1, passage, { model: 'm', vector: meaning(passage.text) })
    return ['A lantern.', 'A kestrel.', 'A thimble.'].map((text, i) =>
      insertMemory(tx, 1, { text, source: i === 2 ? { start: 0, end: 0, hash: '' } : null }, NOW),
    )
  })
  const floats = (text: string) => vectorToBytes(normalised(meaning(text)))
  library.write((tx) => {
    const sql = 'UPDATE memories SET embedding_blob = ?, embedded = 1, embedding_model = ? WHERE id = ?'
    tx.run(sql, floats('lantern'), 'm', ids[0] ?? 0)
    // The earlier release does not say of which model.
    tx.run(sql, floats('kestrel'), null, ids[1] ?? 0)
    tx.run(sql, floats('thimble'), 'm', ids[2] ?? 0)
  })
  library.close()
  using db = new Database(path)
  for (const sql of BEFORE_0048) db.run(sql)
  db.close()
  using now = opened(path)
  expect(now.reader.value('SELECT count(*) FROM passage_vectors')).toBe(0)
  const { texts } = pendingTexts(now.reader, 1, { model: 'm', before: 9, limit: 9 })
  expect(texts.map(({ text }) => text)).toEqual(['A kestrel.'])
  const [hit] = searchStory(now.reader, 1, {
    terms: lineTerms('lantern'),
    endingBefore: 0,
    query: queryFor('lantern'),
  })
  expect(hit).toMatchObject({ text: 'A lantern.', index: null })
  const blobs = now.reader.column('SELECT embedding_blob FROM memories WHERE id = ?', ids[0] ?? 0)
  expect(blobs).toEqual([floats('lantern')])
})

const live = (text: string) => ({
  text,
  reasoning: null,
  cut: null,
  raw_output: null,
  world_delta: null,
  state_block: null,
  replays_raw: false,
  steering: null,
  timing: null,
  variants: [],
  variant_index: 0,
})

function opened(path: string): Library {
  const library = openLibrary(path, { starters: [] })
  if (library.reader.get('SELECT 1 FROM adventures') === null)
    library.write((tx) => void tx.insert('adventures', { id: 1, title: 'A story' }))
  return library
}

function elsewhere(path: string, id: number, text: string): void {
  using db = new Database(path, { strict: true })
  db.run('UPDATE actions SET text = ? WHERE id = ?', [text, id])
}
