import { LARGEST_NUMBER, roundedNumber } from '../../../lib/numbers.ts'
import { presentCharacters } from '../../prompt/present-characters.ts'
import { sentenceSpans } from '../../text/sentence-spans.ts'
import { isCooling } from '../referee.ts'
import type { NumberStat, Rules, TextStat } from '../rules.ts'
import { isReached, liveNumber, liveText, MAX_TEXT, type WorldState } from '../state.ts'

/** Something that the turn may still change, and how far. */
export type WritableStat =
  /** By an amount from `low` to `high`. If `whole`, both are integers and so is every possible amount. */
  | { kind: 'number'; path: string; low: number; high: number; whole: boolean }
  | { kind: 'text'; path: string; maxLength: number }
  | { kind: 'option'; path: string; options: string[] }
  | { kind: 'flag' | 'milestone'; path: string }

/** The largest change of a number without bounds: some servers only understand a schema with two bounds. */
const MAX_CHANGE = 9_999
const DEFAULT_TEXT = 120
const MAX_EDITS = 8
const MAX_SENTENCES = 60

/**
 * Changes that are possible at `turn`, the index of the action that would make them. Leaves out stats that are
 * hidden, on cooldown or at both limits, and milestones that are reached. `state` must fit the rules (see
 * `reconcile`).
 */
export function writableStats(
  { stats, flags, milestones }: Rules,
  state: WorldState,
  turn: number,
): WritableStat[] {
  return [
    ...stats
      .filter((stat) => !stat.hidden && !isCooling(state, stat, turn))
      .flatMap((stat) => (stat.kind === 'text' ? writableText(stat, state) : writableNumber(stat, state))),
    ...flags.map(({ path }) => ({ kind: 'flag' as const, path })),
    ...milestones
      .filter((milestone) => !isReached(state, milestone))
      .map(({ path }) => ({ kind: 'milestone' as const, path })),
  ]
}

/** Leaves out the stats of characters whom a text does not mention: it cannot have changed them. */
export function withoutAbsent(writable: readonly WritableStat[], rules: Rules, text: string): WritableStat[] {
  const present = presentCharacters(rules, text)
  return writable.filter(({ path }) => {
    const [group, id = ''] = path.split('.')
    return group !== 'npc' || present.has(id)
  })
}

/** Each once. Of a long passage, neighbours are joined until there are few enough. */
export function quotableSentences(passage: string): string[] {
  const spans = sentenceSpans(passage)
  const size = Math.max(1, Math.ceil(spans.length / MAX_SENTENCES))
  const joined = spans.flatMap(({ start }, i) =>
    i % size === 0 ? [passage.slice(start, spans[Math.min(i + size, spans.length) - 1]?.end)] : [],
  )
  return [...new Set(joined)]
}

/**
 * The JSON Schema of an answer: `{edits: [{because, changes: [{path, by | to}]}]}`. The model quotes a sentence before it
 * decides, so that it cannot invent the quote, and may list edits in any order. Uses only what constrained decoders are
 * known to enforce: integers have two bounds; fractions have none and are left to the referee.
 */
export function recorderSchema(writable: readonly WritableStat[], sentences: readonly string[]): object {
  const anyOf = writable.map((one) => objectOf({ path: { const: one.path }, ...change(one) }))
  const changes = { type: 'array', minItems: 1, maxItems: MAX_EDITS, items: { anyOf } }
  const edit = objectOf({ because: { enum: sentences }, changes })
  return objectOf({ edits: { type: 'array', maxItems: MAX_EDITS, items: edit } })
}

function change(one: WritableStat): Record<string, object> {
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

/** A JSON Schema for yes or no about each of some paths. */
export function confirmingSchema(paths: readonly string[]): object {
  return objectOf(Object.fromEntries(paths.map((path) => [path, { enum: ['yes', 'no'] }])))
}

function writableNumber(stat: NumberStat, state: WorldState): WritableStat[] {
  const { path, kind, min, max, maxGain, maxLoss, initial } = stat
  const old = liveNumber(state, stat)
  const most = Number.POSITIVE_INFINITY
  const lowest =
    kind === 'counter'
      ? 0
      : roundedNumber(Math.max(-(maxLoss ?? most), (min ?? -LARGEST_NUMBER) - old, -MAX_CHANGE))
  const highest = roundedNumber(Math.min(maxGain ?? most, (max ?? LARGEST_NUMBER) - old, MAX_CHANGE))
  // Under an inconsistent schema a value may be out of range; then it cannot move.
  const [low, high] = [Math.min(lowest, 0), Math.max(highest, 0)]
  const whole = [old, initial, min, max, maxGain, maxLoss].every(
    (one) => one === null || Number.isInteger(one),
  )
  return low === 0 && high === 0 ? [] : [{ kind: 'number', path, low, high, whole }]
}

function writableText(stat: TextStat, state: WorldState): WritableStat[] {
  const { path, options, maxLength } = stat
  if (options === null)
    return [{ kind: 'text', path, maxLength: Math.min(maxLength ?? DEFAULT_TEXT, MAX_TEXT) }]
  const old = liveText(state, stat)
  return options.every((option) => option === old) ? [] : [{ kind: 'option', path, options }]
}

function objectOf(properties: Record<string, object>): object {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties }
}
