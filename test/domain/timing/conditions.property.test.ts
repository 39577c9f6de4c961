import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { rollOf, standingOf } from '../../../src/domain/timing/due-cards.ts'
import type { Condition, How } from '../../../src/domain/timing/timing.ts'
import { readRules } from '../../../src/domain/world/rules.ts'

const BANDS: [number, number, string][] = [
  [0, 5, 'dying'],
  [5, 15, 'hurt'],
  [15, 20, 'well'],
]
const rules = readRules({
  player: { health: { initial: 10, min: 0, max: 20, bands: BANDS }, mood: { type: 'text', initial: 'calm' } },
  flags: { lit: { initial: false } },
  npcs: { brisa: { name: 'Brisa' } },
  milestones: { crossed: {} },
})

interface RandomWorld {
  health: number
  mood: string
  lit: boolean
  crossed: boolean
  turn: number
  began: number | null
  other: boolean
  present: boolean
  seed: string | null
  when: Condition[]
  how: How
}

const MOODS = ['calm', 'angry', 'Calm']
const about = <Kind extends Condition['kind']>(kind: Kind, ...of: string[]) => ({
  kind: fc.constant<Condition['kind']>(kind),
  of: fc.constantFrom(...of),
})
const anyComparison = fc.constantFrom<Condition['is']>('at least', 'at most', 'is', 'is not')
const equality = fc.constantFrom<Condition['is']>('is', 'is not')
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    ...about('stat', 'player.health', 'player.gone'),
    is: anyComparison,
    value: fc.integer({ min: -2, max: 22 }),
  }),
  fc.record({
    ...about('stat', 'player.health'),
    is: equality,
    value: fc.constantFrom('dying', 'HURT', 'well', 'fine'),
  }),
  fc.record({ ...about('stat', 'player.mood'), is: equality, value: fc.constantFrom(...MOODS) }),
  fc.record({ ...about('turn', ''), is: anyComparison, value: fc.nat(22) }),
  fc.record({ ...about('flag', 'flags.lit', 'flags.gone'), is: fc.constant('is'), value: fc.boolean() }),
  fc.record({ ...about('milestone', 'milestones.crossed'), is: fc.constant('is'), value: fc.boolean() }),
  fc.record({ ...about('present', 'npc.brisa', 'npc.gone'), is: fc.constant('is'), value: fc.boolean() }),
  fc.record({ ...about('card', 'Other', 'Gone'), is: fc.constant('is'), value: fc.boolean() }),
)

const few = fc.integer({ min: 1, max: 6 })
const world: fc.Arbitrary<RandomWorld> = fc.record({
  health: fc.integer({ min: 0, max: 20 }),
  mood: fc.constantFrom(...MOODS),
  lit: fc.boolean(),
  crossed: fc.boolean(),
  turn: fc.integer({ min: 7, max: 22 }),
  began: fc.option(fc.integer({ min: 1, max: 6 })),
  other: fc.boolean(),
  present: fc.boolean(),
  seed: fc.option(fc.string()),
  when: fc.array(condition, { maxLength: 2 }),
  how: fc.record(
    {
      once: fc.constant(true),
      chance: fc.integer({ min: 1, max: 99 }),
      stays: few,
      rests: few,
      begins: fc.integer({ min: 1, max: 20 }),
    },
    { requiredKeys: [] },
  ),
})

/** A second reading of the rules of timed cards: turn by turn, without tables. */
function isDueByTheRules({ when, ...random }: RandomWorld): boolean {
  const { began, turn, how, seed } = random
  const stays = how.stays ?? 1
  if (began !== null) {
    for (let staying = began; staying < began + stays; staying++) if (staying === turn) return true
    if (how.once === true) return false
    const rested = began + stays + (how.rests ?? 0)
    for (let resting = began + stays; resting < rested; resting++) if (resting === turn) return false
  }
  if (how.begins !== undefined && turn <= how.begins) return false
  for (const one of when) if (!holdsByTheRules(one, random)) return false
  return how.chance === undefined || (seed !== null && rollOf('Own', seed, turn) <= how.chance)
}

function holdsByTheRules({ kind, of, is, value }: Condition, random: Omit<RandomWorld, 'when'>): boolean {
  const { health, mood, lit, crossed, turn, other, present } = random
  if (['player.gone', 'flags.gone', 'npc.gone'].includes(of)) return false
  if (kind === 'flag') return lit === value
  if (kind === 'milestone') return crossed === value
  if (kind === 'present') return present === value
  if (kind === 'card') return (of === 'Other' && other) === value
  const word = String(value).toLowerCase()
  if (of === 'player.mood') return (mood.toLowerCase() === word) === (is === 'is')
  const label = health < 5 ? 'dying' : health < 15 ? 'hurt' : 'well'
  if (typeof value === 'string') return (label === word) === (is === 'is')
  const actual = kind === 'turn' ? turn : health
  if (is === 'at least') return actual >= Number(value)
  if (is === 'at most') return actual <= Number(value)
  return (actual === value) === (is === 'is')
}

test('whether a card is due follows the rules, in any state', () => {
  fc.assert(
    fc.property(world, (random) => {
      const { health, mood, lit, crossed, turn, began, other, present, seed, when, how } = random
      const record = {
        turn: turn - 1,
        began: { ...(began === null ? {} : { Own: began }), ...(other ? { Other: 1 } : {}) },
        told: [],
        seed: '',
      }
      const state = { player: { health, mood }, flags: { lit }, milestones: { crossed } }
      const who = new Set(present ? ['brisa'] : [])
      const moment = {
        turn,
        rules,
        state,
        record,
        present: who,
        callers: null,
        seed,
      }
      const { isDue } = standingOf({ name: 'Own', entry: '', timing: { when, how } }, moment)
      expect(isDue).toBe(isDueByTheRules(random))
    }),
    { numRuns: 10_000 },
  )
})

test('rolls from 1 to 100 come equally often, and differ by story, turn and card', () => {
  const counts = new Map<number, number>()
  for (let turn = 1; turn <= 10_000; turn++) {
    const roll = rollOf('Own', 'seed', turn)
    counts.set(roll, (counts.get(roll) ?? 0) + 1)
  }
  expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
  expect(Math.max(...counts.values())).toBeLessThan(150)
  const series = (key: string, seed: string, first: number) =>
    Array.from({ length: 20 }, (_, i) => rollOf(key, seed, first + i)).join()
  const all = [
    series('Own', 'seed', 1),
    series('Other', 'seed', 1),
    series('Own', 'Seed', 1),
    series('Own', 'seed', 21),
  ]
  expect(new Set(all).size).toBe(4)
})
