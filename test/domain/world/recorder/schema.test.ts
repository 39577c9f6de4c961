import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { PathResolver } from '../../../../src/domain/world/path-resolver.ts'
import { reconcile } from '../../../../src/domain/world/reconcile.ts'
import { parseAnswer } from '../../../../src/domain/world/recorder/answer.ts'
import { recorderQuestion } from '../../../../src/domain/world/recorder/question.ts'
import {
  quotableSentences,
  recorderSchema,
  writableStats,
} from '../../../../src/domain/world/recorder/schema.ts'
import { referee } from '../../../../src/domain/world/referee.ts'
import { readRules } from '../../../../src/domain/world/rules.ts'
import { instantiate, type StatSchema, type WorldState } from '../../../../src/domain/world/state.ts'
import { fitsSchema } from '../../../../src/lib/json-schema.ts'
import { depth } from '../../../support/depth.ts'
import { repliesMatching } from '../../../support/endpoint/random-answer.ts'
import { deltas, type Fields, schemas } from '../../../support/stories/random-worlds.ts'
import { HALCYON_DEEP, LANTERN_ROCK } from '../../../support/stories/worlds.ts'

const movable = (schema: StatSchema, state: WorldState, turn: number) =>
  writableStats(readRules(schema), reconcile(schema, state).state, turn)

/** A ferry in the fog, in the middle of its story. */
const FERRY = {
  world: {
    crossing: { type: 'counter', initial: 2, max_delta_per_turn: 1 },
    fog: { min: 0, max: 5, initial: 4, cooldown: 4 },
    fare: { min: 3, max: 3, initial: 3 },
    bell: { type: 'counter', max: 9, initial: 9 },
  },
  player: {
    breath: { min: 0, max: 20, initial: 17, max_gain_per_turn: 6, max_loss_per_turn: 4 },
    coins: { initial: 12, min: 0 },
    nerve: { min: 0, max: 1, initial: 0.5, max_delta_per_turn: 0.25 },
    luck: { initial: 1, hidden: true },
    stone: { initial: 8, max_delta_per_turn: 0 },
    seat: { type: 'text', options: ['bow', 'stern'], initial: 'bow' },
    creed: { type: 'text', options: ['none'], initial: 'none' },
    note: { type: 'text', max_length: 30 },
    vow: { type: 'text' },
  },
  npcs: { ilse: { name: 'Ilse', stats: { trust: { min: -5, max: 5, initial: 5 } } } },
  flags: { rope_cut: {}, lamp_out: { initial: true } },
  milestones: { far_shore: {}, toll_paid: {} },
} as const satisfies StatSchema

describe('what can change', () => {
  // The fog moved at 6, and the toll is paid.
  const state = referee(FERRY, instantiate(FERRY), { 'world.fog': -1, 'milestones.toll_paid': true }, 6).after
  const wanted: [path: string, change: object][] = [
    ['world.crossing', { by: { type: 'integer', minimum: 0, maximum: 1 } }],
    ['player.breath', { by: { type: 'integer', minimum: -4, maximum: 3 } }],
    ['player.coins', { by: { type: 'integer', minimum: -12, maximum: 9_999 } }],
    ['player.nerve', { by: { type: 'number' } }],
    ['player.seat', { to: { enum: ['bow', 'stern'] } }],
    ['player.note', { to: { type: 'string', maxLength: 30 } }],
    ['player.vow', { to: { type: 'string', maxLength: 120 } }],
    ['npc.ilse.trust', { by: { type: 'integer', minimum: -10, maximum: 0 } }],
    ['flags.rope_cut', { to: { type: 'boolean' } }],
    ['flags.lamp_out', { to: { type: 'boolean' } }],
    ['milestones.far_shore', { to: { const: true } }],
  ]
  test('is asked for with its bounds, and nothing else is', () => {
    const objectOf = (properties: object) => ({
      type: 'object',
      additionalProperties: false,
      required: Object.keys(properties),
      properties,
    })
    const anyOf = wanted.map(([path, change]) => objectOf({ path: { const: path }, ...change }))
    const changes = { type: 'array', minItems: 1, maxItems: 8, items: { anyOf } }
    const items = objectOf({ because: { enum: ['It rains.', 'A bell.'] }, changes })
    expect(recorderSchema(movable(FERRY, state, 8), ['It rains.', 'A bell.'])).toEqual(
      objectOf({ edits: { type: 'array', maxItems: 8, items } }),
    )
  })
  test('is more when a rest is over', () => {
    const paths = movable(FERRY, state, 10).map(({ path }) => path)
    expect(paths).toContain('world.fog')
    expect(paths).toHaveLength(wanted.length + 1)
  })
  test('may be nothing', () => {
    expect(movable({ player: { stone: { initial: 1, max_delta_per_turn: 0 } } }, {}, 2)).toEqual([])
    expect(movable({ npcs: { ilse: { stats: {} } } }, {}, 2)).toEqual([])
  })
  test('is said in words as well, without an example that could be copied', () => {
    const asked = recorderQuestion(movable(FERRY, state, 8))
    const [form, ...lists] = asked.split('\n')
    expect(form).not.toMatch(/world|player|\d/)
    const player = lists.find((one) => one.startsWith('player: '))
    expect(player).toMatch(/\bbreath\b.*\bnerve\b.*\bseat\b/)
    expect(asked).not.toMatch(/fog|luck|\bstone\b|toll_paid/)
  })
  test('is left to the list of the prompt where it is very much', () => {
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`stat_${i}`, {}]))
    expect(recorderQuestion(movable({ player: many }, {}, 2))).not.toContain('stat_7')
  })
})

const RUNS = depth('ANSWERS')
const LONG = 600_000
const STORY = 'The lamp goes out. „Wer da?“ ruft sie — и тишина.'
const QUOTES = quotableSentences(STORY)

/** Worlds in the middle of a story, with the index of the turn that comes. */
const middles = schemas().chain((schema: Fields) =>
  fc
    .tuple(fc.array(deltas(schema), { maxLength: 3 }), fc.integer({ min: 0, max: 3 }))
    .map(([course, rest]) => {
      const states = course.reduce(
        (state: WorldState, delta, i) => referee(schema, state, delta, i).after,
        instantiate(schema),
      )
      const { state } = reconcile(schema, states)
      const turn = course.length + rest
      return { schema, state, turn, movable: writableStats(readRules(schema), state, turn) }
    }),
)

describe('whatever the schema admits', () => {
  const cases = middles
    .filter(({ movable }) => movable.length > 0)
    .chain((world) =>
      fc.tuple(fc.constant(world), repliesMatching(recorderSchema(world.movable, QUOTES), QUOTES)),
    )
  test(
    'the referee applies as it is asked',
    () => {
      let applied = 0
      fc.assert(
        fc.property(cases, ([{ schema, state, turn, movable }, answer]) => {
          expect(fitsSchema(recorderSchema(movable, QUOTES), answer)).toBe(true)
          // Of one path given twice no schema can say that the sum has to fit.
          const seen = new Set<string>()
          const edits = (answer as { edits: { changes: { path: string }[] }[] }).edits.map((edit) => ({
            ...edit,
            changes: edit.changes.filter(({ path }) => !seen.has(path) && seen.add(path)),
          }))
          const paths = new PathResolver(readRules(schema))
          const read = parseAnswer(JSON.stringify({ edits }), false, STORY, paths)
          expect(read?.refused).toEqual([])
          const { verdicts } = referee(schema, state, read?.delta, turn)
          // Fractions have no bounds that a server would keep to.
          const isFree = (path: string) =>
            movable.some((one) => one.path === path && one.kind === 'number' && !one.whole)
          const bound = verdicts.filter(({ path }) => !isFree(path))
          applied += bound.length
          expect(bound.filter(({ verdict }) => verdict !== 'applied')).toEqual([])
        }),
        { numRuns: RUNS, includeErrorInReport: true },
      )
      expect(applied).toBeGreaterThan(RUNS / 2)
    },
    LONG,
  )
  test(
    'and nothing that could move is left out',
    () => {
      const moves = middles.chain((world) => fc.tuple(fc.constant(world), deltas(world.schema)))
      fc.assert(
        fc.property(moves, ([{ schema, state, turn, movable }, delta]) => {
          // A value of endless places is rounded by any change of it, also by one of nothing.
          const moved = referee(schema, state, delta, turn).verdicts.filter(
            (one) => one.verdict !== 'refused' && one.old !== one.new && one.given !== 0,
          )
          const paths = movable.map(({ path }) => path)
          expect(moved.map(({ path }) => path).filter((path) => !paths.includes(path))).toEqual([])
        }),
        { numRuns: RUNS, includeErrorInReport: true },
      )
    },
    LONG,
  )
  test('a world that makes no sense throws nothing', () => {
    for (const schema of [{ player: { hp: { min: 9, max: 1, initial: 5 } } }, HALCYON_DEEP, LANTERN_ROCK])
      for (const state of [{}, { player: { hp: 'x', warmth: 1e300 } }])
        expect(() => recorderSchema(movable(schema, state, 3), QUOTES)).not.toThrow()
  })
})

describe('the sentences that can be quoted', () => {
  test('are those of the passage, each once', () =>
    expect(quotableSentences('It rains. It rains.\n\n“Who?” she asks. A bell')).toEqual([
      'It rains.',
      '“Who?”',
      'she asks.',
      'A bell',
    ]))
  test('are at most sixty, and leave nothing out', () => {
    const passage = Array.from({ length: 130 }, (_, i) => `It is ${i} now.`).join(' ')
    expect(quotableSentences(passage).length).toBeLessThanOrEqual(60)
    expect(quotableSentences(passage).join(' ')).toBe(passage)
  })
  test('are the whole passage where nothing ends a sentence', () =>
    expect(quotableSentences('No end of it')).toEqual(['No end of it']))
})
