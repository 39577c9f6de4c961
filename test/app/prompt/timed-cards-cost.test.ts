import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { buildPrompt } from '../../../src/app/prompt/build-prompt.ts'
import { loadPromptCards } from '../../../src/app/prompt/prompt-cards.ts'
import { insertAction } from '../../../src/db/tables/actions/write.ts'
import { getSettings } from '../../../src/db/tables/settings.ts'
import { insertCard, storyCards } from '../../../src/db/tables/story-cards.ts'
import type { Timing } from '../../../src/domain/timing/timing.ts'
import { openLibrary } from '../../support/library/open.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** For each card with its two conditions: who is present, what is recorded, and whether it holds. */
const MOST = 2 * 3
const NOW = new Date('2026-01-01T00:00:00Z')
const SCHEMA = { player: { health: { initial: 10, min: 0, max: 20 } }, flags: { lit: { initial: false } } }

/** Cards of every kind: by conditions alone, by triggers, by chance, staying, leading to others, calling for a check. */
const KINDS: [keys: string, how: Timing['how']][] = [
  ['', {}],
  ['lamp', { triggers_others: true }],
  ['lamp', { chance: 50 }],
  ['lamp', { stays: 3, rests: 2 }],
  ['oil', { triggered_by: 'cards', group: 'oil' }],
  ['lamp', { check: 'Climb' }],
]

test('a story with thousands of timed cards and conditions reads no more, and looks at each condition a few times', () => {
  const [few, many] = [costOf(300), costOf(3_000)]
  expect(many.told).toBeGreaterThan(0)
  expect(many.statements).toBe(few.statements)
  expect(many.rows).toBe(few.rows)
  expect(few.looks).toBeGreaterThan(0)
  expect(few.looks).toBeLessThanOrEqual(MOST * 300)
  expect(many.looks).toBeLessThanOrEqual(MOST * 3_000)
})

test('thousands of cards come into memory in pieces, and stay there', () => {
  using library = openLibrary(join(temporaryFolder(), 'library.db'), { starters: [] })
  library.write((tx) => {
    tx.insert('adventures', { id: 1, title: 'A story' })
    for (let i = 0; i < 3_000; i++) insertCard(tx, { adventure_id: 1 }, cardOf(i), null)
  })
  const pieces = () => [...loadPromptCards(library.reader, 1, {})].length
  // Their timing, 500 at once, and the texts of those that trigger others, 100 at once.
  expect(pieces()).toBe(3_000 / 500 + 3_000 / KINDS.length / 100)
  expect(pieces()).toBe(0)
})

/** What the prompt of a turn reads and decides, once the cards are in memory. Each card has two conditions. */
function costOf(count: number) {
  const cost = { statements: 0, rows: 0, looks: 0, told: 0 }
  using library = openLibrary(join(temporaryFolder(), 'library.db'), {
    starters: [],
    watch: (_, rows) => {
      cost.statements++
      cost.rows += rows.length
    },
  })
  library.write((tx) => {
    tx.insert('adventures', { id: 1, title: 'A story', stat_schema: JSON.stringify(SCHEMA) })
    const told = { adventure_id: 1, world_state_before: null }
    insertAction(tx, { ...told, index: 0, type: 'ai', text: 'The lamp burns.' }, NOW)
    insertAction(tx, { ...told, index: 1, type: 'do', text: '> You look at the lamp.' }, NOW)
    for (let i = 0; i < count; i++) insertCard(tx, { adventure_id: 1 }, cardOf(i), null)
  })
  const request = { adventureId: 1, settings: getSettings(library.reader) }
  buildPrompt(library.reader, request)
  for (const { timing } of storyCards.get(library.reader, 1)) countIn(timing?.when ?? [], cost)
  Object.assign(cost, { statements: 0, rows: 0 })
  const prompt = buildPrompt(library.reader, request)
  return { ...cost, told: prompt.cards.length }
}

function cardOf(i: number) {
  const [keys, how] = KINDS[i % KINDS.length] ?? ['', {}]
  const when: Timing['when'] = [
    { kind: 'stat', of: 'player.health', is: 'at least', value: i % 20 },
    { kind: 'flag', of: 'flags.lit', is: 'is', value: i % 3 === 0 },
  ]
  return { type: '', name: `Card ${i}`, keys, entry: `Oil ${i}.`, notes: '', timing: { when, how } }
}

/** Counts how often a condition is looked at, which begins with its kind. */
function countIn(when: Timing['when'], cost: { looks: number }): void {
  for (const condition of when) {
    const { kind } = condition
    Object.defineProperty(condition, 'kind', {
      get: () => {
        cost.looks++
        return kind
      },
    })
  }
}
