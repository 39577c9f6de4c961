import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { applyManualChange } from '../../../src/domain/world/manual-change.ts'
import { referee, type Verdict } from '../../../src/domain/world/referee.ts'
import { readRules } from '../../../src/domain/world/rules.ts'
import { instantiate, type WorldState } from '../../../src/domain/world/state.ts'
import { valuesByPath } from '../../../src/domain/world/state-diff.ts'
import { schemaErrors } from '../../../src/domain/world/validate-schema.ts'
import { isObject, objectIn } from '../../../src/lib/objects.ts'
import { depth, runs } from '../../support/depth.ts'
import {
  deltas,
  type Fields,
  handValues,
  operations,
  schemas,
  type WorldOperation,
} from '../../support/stories/random-worlds.ts'
import {
  type Model,
  modelBegin,
  modelByHand,
  modelJudged,
  modelTurn,
  modelValues,
} from '../../support/stories/referee-model.ts'
import { plainVerdict } from '../../support/stories/views.ts'

/** Stories that are tried; of turns about as many, in courses of three and a half. */
const STORIES = depth('STORIES')
const COURSES = Math.ceil(depth('DELTAS') / 3.4)
const FEWER = Math.ceil(COURSES / 3)
const LONG = 3_600_000

/** Steps of the clock: mostly on, now and then back, as after an undo. */
const steps = fc.integer({ min: -1, max: 11 }).map((n) => (n < 0 ? -4 : n % 4))

const worlds = schemas()
const courses = worlds.chain((schema) =>
  fc.tuple(fc.constant(schema), fc.array(fc.tuple(steps, deltas(schema)), { minLength: 1, maxLength: 6 })),
)

describe('beside a second reading of the rules', () => {
  test('only sound schemas are tried', () => {
    fc.assert(
      fc.property(worlds, (schema) => expect(schemaErrors(schema)).toEqual([])),
      { numRuns: runs(2_000), includeErrorInReport: true },
    )
  })

  test(
    'turns come out the same',
    () => {
      fc.assert(
        fc.property(courses, ([schema, course]) => {
          let state = instantiate(schema)
          let model = modelBegin(schema)
          expectSame(state, model)
          let turn = 8
          for (const [step, delta] of course) {
            turn += step
            const judged = referee(schema, state, delta, turn)
            const expected = modelJudged(model, schema, delta, turn)
            state = judged.after
            model = expected.model
            expectSame(state, model)
            expect(judged.verdicts.map((one) => plainVerdict({ ...one }))).toEqual(expected.verdicts)
          }
        }),
        { numRuns: COURSES, includeErrorInReport: true },
      )
    },
    LONG,
  )

  test(
    'values set by hand come out the same',
    () => {
      const cases = worlds.chain((schema) =>
        fc.tuple(fc.constant(schema), deltas(schema), handValues(schema), handValues(schema), deltas(schema)),
      )
      fc.assert(
        fc.property(cases, ([schema, first, values, more, last]) => {
          let state = referee(schema, instantiate(schema), first, 2).after
          let model = modelTurn(modelBegin(schema), schema, first, 2)
          for (const given of [values, more]) {
            state = applyManualChange(schema, state, given).after
            model = modelByHand(model, schema, given)
            expectSame(state, model)
          }
          state = referee(schema, state, last, 4).after
          model = modelTurn(model, schema, last, 4)
          expectSame(state, model)
        }),
        { numRuns: FEWER, includeErrorInReport: true },
      )
    },
    LONG,
  )

  test(
    'a whole story comes out the same, with every variant that was kept',
    () => {
      const stories = worlds.chain((schema) => fc.tuple(fc.constant(schema), operations(schema)))
      fc.assert(
        fc.property(stories, ([schema, course]) => {
          const ours = new Story<WorldState>(instantiate(schema), {
            play: (state, delta, turn) => referee(schema, state, delta, turn).after,
            hand: (state, values) => applyManualChange(schema, state, values).after,
          })
          const modelled = new Story<Model>(modelBegin(schema), {
            play: (model, delta, turn) => modelTurn(model, schema, delta, turn),
            hand: (model, values) => modelByHand(model, schema, values),
          })
          for (const operation of course) {
            ours.do(operation)
            modelled.do(operation)
            expectSame(ours.live, modelled.live)
          }
          // A state that was handed out twice would have changed behind its story's back.
          for (const [i, state] of ours.states().entries()) {
            const model = modelled.states()[i]
            if (model) expectSame(state, model)
          }
          expect(ours.states().length).toBe(modelled.states().length)
        }),
        { numRuns: STORIES, includeErrorInReport: true },
      )
    },
    LONG,
  )
})

describe('whatever it is given', () => {
  const junk = fc.oneof(
    { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(null, true, false, 5, 'x', JSON.parse('{"__proto__": {"initial": 1}}')),
    },
  )

  /** A sound object in which some parts were replaced by anything. */
  const marred = (sound: unknown) =>
    fc
      .array(fc.tuple(fc.nat({ max: 40 }), junk), { maxLength: 3 })
      .map((scars) => scars.reduce((value: unknown, [at, part]) => replaced(value, at, part), sound))

  const cases = worlds.chain((schema) => {
    const sound = instantiate(schema)
    const played = deltas(schema).map((delta) => referee(schema, sound, delta, 2).after)
    return fc.record({
      schema: fc.oneof({ weight: 3, arbitrary: marred(schema) }, { weight: 1, arbitrary: junk }),
      // As it is stored: JSON knows no -0.
      state: fc
        .oneof(
          { weight: 3, arbitrary: played.chain(marred) },
          { weight: 1, arbitrary: junk },
          { weight: 1, arbitrary: fc.constant({}) },
        )
        .map((state) => JSON.parse(JSON.stringify(state))),
      delta: fc.oneof(
        { weight: 3, arbitrary: deltas(schema) },
        { weight: 1, arbitrary: deltas(schema).map(saidTwice) },
        { weight: 1, arbitrary: junk },
      ),
      turn: fc.integer({ min: 0, max: 9 }),
    })
  })

  test(
    'the referee never throws, alters nothing it was given, and moves only what it says',
    () => {
      fc.assert(
        fc.property(cases, ({ schema, state, delta, turn }) => {
          for (const given of [schema, state, delta]) freeze(given)
          const before = state as WorldState
          const { after, verdicts } = referee(schema as Fields, before, delta, turn)
          const start = hasKeys(state) ? before : instantiate(schema as Fields)
          expectVerdictsMatch(schema as Fields, start, after, verdicts)
          expectSound(schema as Fields, after, verdicts)
          expectKept(start, after, verdicts, turn)
        }),
        { numRuns: FEWER, includeErrorInReport: true },
      )
    },
    LONG,
  )

  test(
    'setting by hand never throws, alters nothing it was given, and keeps to the range',
    () => {
      fc.assert(
        fc.property(cases, ({ schema, state, delta }) => {
          for (const given of [schema, state, delta]) freeze(given)
          const values = isObject(delta) ? delta : { nowhere: delta }
          const { after, verdicts } = applyManualChange(schema as Fields, state as WorldState, values)
          expectSound(schema as Fields, after, verdicts)
          const old = objectIn(objectIn(hasKeys(state) ? state : {}, '_meta'), 'last_changed')
          expect(objectIn(objectIn(after, '_meta'), 'last_changed')).toEqual(old)
        }),
        { numRuns: FEWER, includeErrorInReport: true },
      )
    },
    LONG,
  )

  /** Every verdict has the actual values before and after, and paths without a verdict did not change. */
  function expectVerdictsMatch(
    schema: Fields,
    start: WorldState,
    after: WorldState,
    verdicts: Verdict[],
  ): void {
    const was = valuesByPath(start)
    const is = valuesByPath(after)
    const begun = valuesByPath(instantiate(schema))
    const seen = new Set<string>()
    for (const verdict of verdicts) {
      if (verdict.verdict === 'refused') continue
      const { path } = verdict
      if (seen.has(path)) throw new Error(`${path} has two verdicts`)
      seen.add(path)
      const live = was.get(path)
      const isUsable = path.startsWith('flags.') ? was.has(path) : typeof live === typeof verdict.old
      // A path that the state lacks has its initial value; an unreached milestone is false.
      const old = isUsable ? live : (begun.get(path) ?? false)
      if (path.startsWith('flags.') ? Boolean(old) !== verdict.old : old !== verdict.old)
        throw new Error(`${path} is said to have been otherwise`)
      if ((isUsable || verdict.new !== verdict.old) && is.get(path) !== verdict.new)
        throw new Error(`${path} is said to be otherwise`)
    }
    for (const path of new Set([...was.keys(), ...is.keys()]))
      if (!seen.has(path) && !Bun.deepEquals(was.get(path), is.get(path)))
        throw new Error(`${path} moved without a word`)
  }

  /** Numbers are finite and inside their range, texts as long as they may be. */
  function expectSound(schema: Fields, after: WorldState, verdicts: Verdict[]): void {
    const rules = new Map(readRules(schema).stats.map((stat) => [stat.path, stat]))
    const is = valuesByPath(after)
    for (const verdict of verdicts) {
      const stat = rules.get(verdict.path)
      const value = is.get(verdict.path)
      if (verdict.verdict === 'refused' || stat === undefined || verdict.new === verdict.old) continue
      if (stat.kind === 'text') {
        if (typeof value !== 'string') throw new Error(`${stat.path} is no text`)
        if (stat.options ? !stat.options.includes(value) : [...value].length > (stat.maxLength ?? 500))
          throw new Error(`${stat.path} is no text that it may be`)
        continue
      }
      if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(`${stat.path} is no number`)
      if (Object.is(value, -0)) throw new Error(`${stat.path} is minus zero`)
      const { min, max } = stat
      // Nothing is inside a range that ends before it begins.
      if ((min ?? -Number.MAX_SAFE_INTEGER) > (max ?? Number.MAX_SAFE_INTEGER)) continue
      if (value < (min ?? value) || value > (max ?? value)) throw new Error(`${stat.path} left its range`)
    }
  }

  /** Milestones stay, cooldowns begin only where something moved, and the rest of the state is as it was. */
  function expectKept(start: WorldState, after: WorldState, verdicts: Verdict[], turn: number): void {
    const is = valuesByPath(after)
    for (const path of valuesByPath(start).keys())
      if (path.startsWith('milestones.') && is.get(path) !== true) throw new Error(`${path} was lost`)
    const moved = verdicts.flatMap((one) =>
      one.verdict !== 'refused' && one.old !== one.new ? [one.path] : [],
    )
    const stamps = objectIn(objectIn(after, '_meta'), 'last_changed')
    const stampsBefore = objectIn(objectIn(start, '_meta'), 'last_changed')
    for (const path of new Set([...Object.keys(stamps), ...Object.keys(stampsBefore)])) {
      const isStat = !path.startsWith('flags.') && !path.startsWith('milestones.')
      if (moved.includes(path) && isStat) expect(stamps[path]).toBe(turn)
      else if (!Bun.deepEquals(stamps[path], stampsBefore[path])) throw new Error(`${path} was stamped`)
    }
    const ours = ['world', 'player', 'npc', 'flags', 'milestones', '_meta']
    const rest = (state: unknown) =>
      isObject(state) ? Object.entries(state).filter(([key]) => !ours.includes(key)) : []
    expect(rest(after)).toEqual(rest(start))
  }
})

describe('found by trying', () => {
  test('what every object inherits is not taken for a value that is missing', () => {
    const schema = { flags: { constructor: {} } }
    const { verdicts } = referee(schema, { flags: {} }, { 'flags.constructor': true }, 2)
    expect(verdicts).toMatchObject([{ verdict: 'applied', old: false, new: true }])
  })

  const player = (def: Fields): Fields => ({ player: { hp: def } })
  const hpAfter = (schema: Fields, delta: unknown, turn = 2) =>
    valuesByPath(referee(schema, instantiate(schema), delta, turn).after).get('player.hp')

  test('a gain without a cap reaches the most that is kept, also from below zero', () => {
    expect(hpAfter(player({ initial: -20 }), { 'player.hp': 1e308 })).toBe(Number.MAX_SAFE_INTEGER)
    expect(hpAfter(player({ initial: 20 }), { 'player.hp': -1e308 })).toBe(-Number.MAX_SAFE_INTEGER)
    expect(hpAfter(player({ initial: 0, max: 1e20 }), { 'player.hp': 1e18 })).toBe(1e18)
  })

  test('a bound finer than six decimals holds as well', () => {
    const third = player({ initial: 1, min: 1 / 3 })
    expect(hpAfter(third, { 'player.hp': -5 })).toBeGreaterThanOrEqual(1 / 3)
    const byHand = applyManualChange(third, instantiate(third), { 'player.hp': 0 }).after
    expect(valuesByPath(byHand).get('player.hp')).toBeGreaterThanOrEqual(1 / 3)
  })
})

/** One action of a story, with the variants of it. */
interface Action<State> {
  index: number
  before: State
  variants: State[]
  live: number
}

interface Rules<State> {
  play(state: State, delta: Fields, turn: number): State
  hand(state: State, values: Fields): State
}

/** A story in the fewest words: actions, their variants, and the state that is live. */
class Story<State> {
  private readonly actions: Action<State>[] = []

  constructor(
    public live: State,
    private readonly rules: Rules<State>,
  ) {}

  do(operation: WorldOperation): void {
    const newest = this.actions.at(-1)
    switch (operation.kind) {
      case 'turn': {
        const index = (newest?.index ?? 0) + 2
        const before = structuredClone(this.live)
        this.live = this.rules.play(before, operation.delta, index)
        this.actions.push({ index, before, variants: [structuredClone(this.live)], live: 0 })
        return
      }
      case 'retry': {
        if (newest === undefined) return
        this.live = this.rules.play(newest.before, operation.delta, newest.index)
        newest.live = newest.variants.push(structuredClone(this.live)) - 1
        return
      }
      case 'switch': {
        if (newest === undefined) return
        newest.live = operation.to % newest.variants.length
        const state = newest.variants[newest.live]
        if (state !== undefined) this.live = structuredClone(state)
        return
      }
      case 'undo': {
        const undone = this.actions.pop()
        if (undone) this.live = undone.before
        return
      }
      case 'hand': {
        this.live = this.rules.hand(this.live, operation.values)
        if (newest) newest.variants[newest.live] = structuredClone(this.live)
        return
      }
      case 'fail':
        return
    }
  }

  /** Every state that the story holds, oldest first. */
  states(): State[] {
    return [...this.actions.flatMap(({ before, variants }) => [before, ...variants]), this.live]
  }
}

/** The same values under the same paths, and the same turns at which they last moved. */
function expectSame(state: WorldState, model: Model): void {
  const found = valuesByPath(state)
  const expected = modelValues(model)
  const paths = new Set([...found.keys(), ...Object.keys(expected)])
  for (const path of paths)
    if (found.get(path) !== expected[path])
      throw new Error(`${path} is ${String(found.get(path))}, and should be ${String(expected[path])}`)
  const stamps = objectIn(objectIn(state, '_meta'), 'last_changed')
  const stamped = [...model].filter(([, { last }]) => last !== null)
  if (Object.keys(stamps).length !== stamped.length) throw new Error('other stats rest than should')
  for (const [path, { last }] of stamped)
    if (stamps[path] !== last)
      throw new Error(`${path} last moved at ${String(stamps[path])}, and should have at ${last}`)
}

/** Every change a second time, under a looser spelling of its path. */
function saidTwice(delta: Fields): Fields {
  const again = Object.entries(delta).map(([path, value]) => [` ${path.toUpperCase()} `, value])
  return Object.fromEntries([...Object.entries(delta), ...again])
}

/** A copy in which the part at some place, counted through the whole, is another; null takes it away. */
function replaced(value: unknown, at: number, part: unknown): unknown {
  const copy = structuredClone(value)
  const holders: [Record<string, unknown>, string][] = []
  const walk = (one: unknown) => {
    if (!isObject(one)) return
    for (const key of Object.keys(one)) {
      holders.push([one, key])
      walk(one[key])
    }
  }
  walk(copy)
  const [holder, key] = holders[at % (holders.length || 1)] ?? []
  if (holder && key !== undefined) {
    if (part === null) delete holder[key]
    else holder[key] = part
  }
  return copy
}

function freeze(value: unknown): void {
  if (value === null || typeof value !== 'object') return
  Object.freeze(value)
  for (const part of Object.values(value)) freeze(part)
}

function hasKeys(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > 0
}
