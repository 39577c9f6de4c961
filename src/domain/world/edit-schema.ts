import { LARGEST, tidy } from '../../lib/numbers.ts'
import { isCooling } from './referee.ts'
import type { NumberStat, Rules, TextStat } from './rules.ts'
import { isReached, LONGEST_TEXT, liveNumber, liveText, type WorldState } from './state.ts'

/** Something that one turn may still change, and how far. */
export type Movable =
  /** By an amount from `low` to `high`. Where `whole`, they and every value between the bounds are whole. */
  | { kind: 'number'; path: string; low: number; high: number; whole: boolean }
  | { kind: 'text'; path: string; maxLength: number }
  | { kind: 'option'; path: string; options: string[] }
  | { kind: 'flag' | 'milestone'; path: string }

/** The most by which a number without bounds may move: a schema needs two bounds to be understood everywhere. */
const FARTHEST = 9_999
/** Characters of a text to which its author gave no limit. */
const TEXT = 120
/** Characters of the words that an edit quotes. */
export const QUOTE = 90
const MOST_EDITS = 8

/**
 * What can change at `turn`, the index of the action that would bring it. What rests, stands at both of its limits, is
 * reached or hidden is left out. `state` has to fit the rules (see `reconcile`).
 */
export function movableIn({ stats, flags, milestones }: Rules, state: WorldState, turn: number): Movable[] {
  return [
    ...stats
      .filter((stat) => !stat.hidden && !isCooling(state, stat, turn))
      .flatMap((stat) => (stat.kind === 'text' ? movableText(stat, state) : movableNumber(stat, state))),
    ...flags.map(({ path }) => ({ kind: 'flag' as const, path })),
    ...milestones
      .filter((milestone) => !isReached(state, milestone))
      .map(({ path }) => ({ kind: 'milestone' as const, path })),
  ]
}

/**
 * The JSON Schema of an answer that names changes: `{edits: [{because, path, by | to}]}`, so that a model quotes before it
 * decides, and may name what moves in any order. It keeps to what constrained decoders were seen to enforce: whole
 * numbers have two bounds, fractions have none and are left to the referee.
 */
export function editSchema(movable: readonly Movable[]): object {
  const anyOf = movable.map((one) => {
    const because = { type: 'string', maxLength: QUOTE }
    return object({ because, path: { const: one.path }, ...change(one) })
  })
  return object({ edits: { type: 'array', maxItems: MOST_EDITS, items: { anyOf } } })
}

function change(one: Movable): Record<string, object> {
  switch (one.kind) {
    case 'number': {
      const { low: minimum, high: maximum } = one
      return { by: one.whole ? { type: 'integer', minimum, maximum } : { type: 'number' } }
    }
    case 'text':
      return { to: { type: 'string', maxLength: one.maxLength } }
    case 'option':
      return { to: { enum: one.options } }
    case 'flag':
      return { to: { type: 'boolean' } }
    case 'milestone':
      return { to: { const: true } }
  }
}

function movableNumber(stat: NumberStat, state: WorldState): Movable[] {
  const { path, kind, min, max, maxGain, maxLoss, initial } = stat
  const old = liveNumber(state, stat)
  const most = Number.POSITIVE_INFINITY
  const fall = kind === 'counter' ? 0 : tidy(Math.max(-(maxLoss ?? most), (min ?? -LARGEST) - old, -FARTHEST))
  const rise = tidy(Math.min(maxGain ?? most, (max ?? LARGEST) - old, FARTHEST))
  // A schema of no sense may hold a value outside of its range: it moves nowhere.
  const [low, high] = [Math.min(fall, 0), Math.max(rise, 0)]
  const whole = [old, initial, min, max, maxGain, maxLoss].every(
    (one) => one === null || Number.isInteger(one),
  )
  return low === 0 && high === 0 ? [] : [{ kind: 'number', path, low, high, whole }]
}

function movableText(stat: TextStat, state: WorldState): Movable[] {
  const { path, options, maxLength } = stat
  if (options === null) return [{ kind: 'text', path, maxLength: Math.min(maxLength ?? TEXT, LONGEST_TEXT) }]
  const old = liveText(state, stat)
  return options.every((option) => option === old) ? [] : [{ kind: 'option', path, options }]
}

function object(properties: Record<string, object>): object {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties }
}
