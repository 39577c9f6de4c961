import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { standingOf } from '../../../src/domain/timing/due-cards.ts'
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
  thrown: number | null
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
  thrown: fc.option(fc.integer({ min: 1, max: 100 })),
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
  const { began, turn, how, thrown } = random
  const stays = how.stays ?? 1
  if (began !== null) {
    for (let staying = began; staying < began + stays; staying++) if (staying === turn) return true
    if (how.once === true) return false
    const rested = began + stays + (how.rests ?? 0)
    for (let resting = began + stays; resting < rested; resting++) if (resting === turn) return false
  }
  if (how.begins !== undefined && turn <= how.begins) return false
  for (const one of when) if (!holdsByTheRules(one, random)) return false
  return how.chance === undefined || (thrown !== null && thrown <= how.chance)
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
      const { health, mood, lit, crossed, turn, began, other, present, thrown, when, how } = random
      const record = {
        turn: turn - 1,
        began: { ...(began === null ? {} : { Own: began }), ...(other ? { Other: 1 } : {}) },
        told: [],
        thrown: {},
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
        thrown: thrown === null ? {} : { Own: thrown },
      }
      const { isDue } = standingOf({ name: 'Own', entry: '', timing: { when, how } }, moment)
      expect(isDue).toBe(isDueByTheRules(random))
    }),
    { numRuns: 10_000 },
  )
})
