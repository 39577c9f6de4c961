import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { recallFor } from '../../../src/app/prompt/recall.ts'
import { insertAction } from '../../../src/db/tables/actions/write.ts'
import { insertMemory, markMemoriesStale } from '../../../src/db/tables/memory/memories.ts'
import { openLibrary } from '../../support/library/open.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const FACT = 'The ferryman whispers that the silver bell lies under the drowned chapel.'
const ASK = '> You say "Where did the ferryman say the silver bell lies?"'
const WINDOW = 80
type Memory = Parameters<typeof insertMemory>[2]

/** Recalls for a line in a story of 100 passages of which number 20 tells the fact. */
function recalled(memories: Memory[], line: string, { edited = -1, topK = 5 } = {}) {
  using library = openLibrary(join(temporaryFolder(), 'library.db'), { starters: [] })
  library.write((tx) => {
    tx.insert('adventures', { id: 1, title: 'A story', memory_bank_enabled: true })
    for (let index = 0; index < 100; index++) {
      const text = index === 20 ? FACT : `The road goes on and on, mile ${index}.`
      insertAction(tx, { adventure_id: 1, index, type: 'ai', text, world_state_before: null }, NOW)
    }
    for (const memory of memories) insertMemory(tx, 1, memory, NOW)
    markMemoriesStale(tx, 1, edited)
  })
  const options = { topK, line, query: null, changes: () => [], answers: {} }
  const found = recallFor(library.reader, { id: 1, memory_bank_enabled: true }, options)(WINDOW)
  return {
    memories: found.memories.map(({ text, via }) => [text, via]),
    passages: found.passages.map(({ index }) => index),
  }
}

/** A model's memory of some passages, in words of its own. */
const of = (start: number, end: number, more: Partial<Memory> = {}): Memory => ({
  text: `A secret, ${start}.`,
  source: { start, end, hash: '' },
  ...more,
})

describe('a memory of passages is recalled', () => {
  const rows: [what: string, memories: Memory[], edited: number, found: string[]][] = [
    ['with a passage that it covers', [of(12, 17), of(18, 23), of(24, 29)], -1, ['A secret, 18.']],
    ['not when a passage of it has changed', [of(18, 23)], 19, []],
    ['not when it is forgotten', [of(18, 23, { forgotten: true })], -1, []],
    ['not when the window shows a part of it', [of(18, WINDOW)], -1, []],
  ]
  for (const [what, memories, edited, found] of rows)
    test(what, () =>
      expect(recalled(memories, ASK, { edited })).toEqual({
        memories: found.map((text) => [text, 'words']),
        passages: [20],
      }),
    )
})

test('pinned memories come first on every turn, also without a line, unless the window shows them', () => {
  const memories = [of(18, 23), of(40, 45, { pinned: true }), of(90, 95, { pinned: true })]
  expect(recalled(memories, '').memories).toEqual([['A secret, 40.', 'pinned']])
  expect(recalled(memories, ASK).memories).toEqual([
    ['A secret, 40.', 'pinned'],
    ['A secret, 18.', 'words'],
  ])
  expect(recalled(memories, ASK, { topK: 1 }).memories).toEqual([['A secret, 40.', 'pinned']])
})
