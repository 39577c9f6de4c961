import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Library } from '../../../src/db/library.ts'
import { searchPassages } from '../../../src/db/search/passage-search.ts'
import {
  passageVectors,
  pendingPassages,
  upsertPassageVector,
} from '../../../src/db/search/passage-vectors.ts'
import {
  deleteActions,
  insertAction,
  updateActionText,
  updateLiveVariant,
} from '../../../src/db/tables/actions/write.ts'
import { passageInContext } from '../../../src/domain/recall/embedded-text.ts'
import { lineTerms } from '../../../src/domain/recall/line-terms.ts'
import { runs } from '../../support/depth.ts'
import { openLibrary } from '../../support/library/open.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const WORDS = ['lantern', 'kestrel', 'quarry', 'thimble']
/** Each word has a direction of its own. */
const meaning = (text: string) => Float32Array.from(WORDS, (word) => (text.includes(word) ? 1 : 0.1))
const queryFor = (text: string) => ({
  model: 'm',
  line: meaning(text),
  passages: null,
  neutral: new Float32Array(WORDS.length),
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
              const { passages } = pendingPassages(library.reader, 1, {
                model: 'm',
                before: Infinity,
                limit: 2,
              })
              for (const passage of passages)
                upsertPassageVector(tx, 1, passage, { model: 'm', vector: meaning(passage.text) })
              for (const passage of passages)
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
        const stored = passageVectors.get(library.reader, 1)
        for (const { id, embedded } of told) if (embedded === null) expect(stored.has(id)).toBe(false)
        expect([...stored.keys()].filter((id) => !told.some((known) => known.id === id))).toEqual([])
        for (const wanted of WORDS) {
          const hits = searchPassages(library.reader, 1, {
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
  const { passages, left, all } = pendingPassages(library.reader, 1, { model: 'm', before: 30, limit: 100 })
  expect([passages.length, left, all]).toEqual([30, 30, 30])
  library.write((tx) => {
    for (const passage of passages)
      upsertPassageVector(tx, 1, passage, { model: 'm', vector: meaning(passage.text) })
  })
  const first = (endingBefore: number, model = 'm') =>
    searchPassages(library.reader, 1, {
      terms: [],
      endingBefore,
      query: { ...queryFor('lantern'), model },
    })[0]
  expect(first(30)).toMatchObject({ index: 7, terms: [], score: 0 })
  expect(first(30)?.meaning).toBeGreaterThan(3)
  expect(first(7)?.index).not.toBe(7)
  expect(first(30, 'other')?.meaning ?? 0).toBe(0)
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
