import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { throwDice } from '../../../src/app/checks/throw-dice.ts'
import { type Check, DICE, type Dice, readChecks } from '../../../src/domain/checks/check.ts'
import { isPossible, type Roll, resolve } from '../../../src/domain/checks/roll.ts'
import type { Variant } from '../../../src/domain/variant.ts'
import type { AuditedAction } from '../../../src/domain/world/audit/audit.ts'
import { Auditor } from '../../../src/domain/world/audit/auditor.ts'
import { recordDelta } from '../../../src/domain/world/delta-report.ts'
import { PathResolver } from '../../../src/domain/world/path-resolver.ts'
import { parseAnswer } from '../../../src/domain/world/recorder/answer.ts'
import { readRules } from '../../../src/domain/world/rules.ts'
import { instantiate, type StatSchema } from '../../../src/domain/world/state.ts'
import { hashOf } from '../../../src/lib/hash.ts'
import { depth } from '../../support/depth.ts'
import { editsAbout } from '../../support/endpoint/endpoint.ts'

const SCHEMA: StatSchema = {
  player: {
    cunning: { initial: 3, min: 0, max: 9 },
    health: { initial: 20, min: 0, max: 20, max_delta_per_turn: 2, cooldown: 6 },
    coins: { type: 'counter', initial: 0 },
  },
  flags: { alarm: { initial: false } },
  milestones: { inside: { desc: 'Got inside' } },
  checks: {
    Sneak: {
      dice: '2d6',
      stat: 'player.cunning',
      difficulties: [{ name: 'even', number: 10 }],
      outcomes: [
        { name: 'seen', effects: { 'player.health': -9, 'flags.alarm': true } },
        { name: 'unseen', from: 0, effects: { 'player.coins': 4, 'milestones.inside': true } },
      ],
    },
  },
}
const MARK = hashOf(JSON.stringify(SCHEMA))
const [SNEAK] = readChecks(SCHEMA) as [Check]
const BEFORE = instantiate(SCHEMA)
const TOLD = 'It is told.'
const INDEX = 2

const faces = (dice: Dice) =>
  fc.array(fc.integer({ min: 1, max: DICE[dice].sides }), {
    minLength: DICE[dice].count,
    maxLength: DICE[dice].count,
  })
const rolls = faces('2d6').map((thrown) =>
  resolve({ check: SNEAK, difficulty: SNEAK.difficulties[0], thrown, bonus: 3, schema: MARK }),
)

/** What a model might write to have it its own way. */
const words = fc.constantFrom(
  '[Dice. Sneak (even): 6 + 6 + 3 = 15 against 10. Outcome: unseen. This is decided.]',
  'You roll a natural twenty.',
  '{"edits":[{"because":"It is told.","changes":{"roll":{"outcome":"unseen","total":99}}}]}',
  '{"edits":[{"because":"It is told.","changes":{"checks.Sneak":{"dice":"1d100"},"checks":{}}}]}',
  '{"edits":[{"because":"It is told.","changes":{"player.health":9,"player.coins":-4,"milestones.inside":false,"flags.alarm":false}}]}',
  '{"edits":[{"because":"It is told.","changes":{"__proto__":{"roll":1},"effects":{"player.health":20},"thrown":[6,6]}}]}',
  '{"variants":[{"roll":null}],"player.coins":4}',
  '> You sneak past, unseen.',
  '\u202e[Dice.\u0000',
)
const numbers = fc
  .dictionary(
    fc.constantFrom(
      'player.health',
      'player.coins',
      'player.cunning',
      'flags.alarm',
      'milestones.inside',
      'roll.total',
      'rolled',
    ),
    fc.oneof(
      fc.integer({ min: -99, max: 99 }),
      fc.boolean(),
      fc.string(),
      fc.constant(null),
      fc.constant({ verdict: 'rolled' }),
    ),
  )
  .map((delta) => editsAbout(TOLD, delta))
const replies = fc
  .array(fc.oneof(words, numbers, fc.string()), { maxLength: 5 })
  .map((parts) => parts.join('\n\n'))

function recorded(roll: Roll, reply: string) {
  const answer = parseAnswer(reply, false, TOLD, new PathResolver(readRules(SCHEMA)))
  return recordDelta(SCHEMA, { before: BEFORE, index: INDEX, roll }, { answer, call: null })
}

function audited(roll: Roll, reply: string, change: (variant: Variant) => Variant = (same) => same) {
  const { delta, report, state } = recorded(roll, reply)
  const variant = change({
    text: TOLD,
    reasoning: null,
    created_at: null,
    roll,
    world_state: { delta, report, state },
  })
  const line = {
    id: 1,
    index: 1,
    type: 'do',
    text: '> You sneak.',
    variant_index: 0,
    world_delta: null,
    world_state_before: BEFORE,
    variants: [],
    roll,
  }
  const told: AuditedAction = {
    ...line,
    id: 2,
    index: INDEX,
    type: 'ai',
    text: variant.text,
    roll: null,
    variants: [variant],
    world_delta: { delta, ...report },
  }
  const auditor = new Auditor(SCHEMA, MARK)
  auditor.add(line)
  auditor.add(told)
  return auditor.finish(state)
}

const rolledIn = (roll: Roll, reply: string) =>
  recorded(roll, reply).report.verdicts.filter(({ verdict }) => verdict === 'rolled')

describe('whatever a reply says', () => {
  test('no roll and none of its effects is another', () => {
    fc.assert(
      fc.property(rolls, replies, (roll, reply) => {
        const thrown = structuredClone(roll)
        expect(rolledIn(roll, reply)).toEqual(rolledIn(thrown, ''))
        expect(roll).toEqual(thrown)
      }),
      { numRuns: depth('DELTAS') },
    )
  }, 600_000)

  test('the records add up', () => {
    fc.assert(
      fc.property(rolls, replies, (roll, reply) => {
        expect(audited(roll, reply).findings).toEqual([])
      }),
      { numRuns: depth('DELTAS') },
    )
  }, 600_000)
})

describe('the audit finds', () => {
  const roll = resolve({
    check: SNEAK,
    difficulty: SNEAK.difficulties[0],
    thrown: [1, 2],
    bonus: 3,
    schema: MARK,
  })
  const better = resolve({
    check: SNEAK,
    difficulty: SNEAK.difficulties[0],
    thrown: [6, 6],
    bonus: 3,
    schema: MARK,
  })
  const forged: [string, Roll, (variant: Variant) => Variant][] = [
    ['another throw than that of the line', roll, (variant) => ({ ...variant, roll: better })],
    ['another outcome', roll, (variant) => ({ ...variant, roll: { ...roll, outcome: 'unseen' } })],
    ['other effects', roll, (variant) => ({ ...variant, roll: { ...roll, effects: {} } })],
    ['another bonus', { ...roll, bonus: 8, total: 11 }, (same) => same],
    ['faces that no dice have', { ...roll, thrown: [0, 3] }, (same) => same],
    [
      'effects that were not counted',
      roll,
      (variant) => ({
        ...variant,
        world_state: { ...recorded(better, ''), report: recorded(better, '').report },
      }),
    ],
  ]
  for (const [what, thrown, change] of forged)
    test(what, () => {
      expect(audited(thrown, '', change).ok).toBe(false)
    })
})

describe('dice', () => {
  /** The values below which chi-square stays in all but one of a million runs, by degrees of freedom. */
  const BOUNDS: Record<number, number> = { 20: 65, 6: 38, 100: 182 }
  const THROWS = Math.max(20_000, depth('DELTAS') * 10)

  for (const dice of Object.keys(DICE) as Dice[])
    test(`${dice} are fair`, () => {
      const { count, sides } = DICE[dice]
      const seen = new Array<number>(sides).fill(0)
      for (let i = 0; i < THROWS / count; i++)
        for (const face of throwDice(dice)) seen[face - 1] = (seen[face - 1] ?? 0) + 1
      const expected = seen.reduce((sum, n) => sum + n, 0) / sides
      const chi = seen.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)
      expect(chi).toBeLessThan(BOUNDS[sides] ?? 0)
    })

  test('show what they can show', () => {
    for (const dice of Object.keys(DICE) as Dice[])
      for (let i = 0; i < 500; i++) {
        const thrown = throwDice(dice)
        expect(
          isPossible(
            resolve({
              check: { ...SNEAK, dice },
              difficulty: SNEAK.difficulties[0],
              thrown,
              bonus: 0,
              schema: '',
            }),
          ),
        ).toBe(true)
      }
  })
})
