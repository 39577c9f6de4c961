import { cutTo } from '../../lib/text.ts'
import { readNumber, tidy, within } from '../../lib/numbers.ts'
import { isObject, setOwn } from '../../lib/objects.ts'
import { type Found, Paths, type UnknownReason } from './block/path-resolver.ts'
import { type Flag, type Milestone, type NumberStat, readRules, type Stat, type TextStat } from './rules.ts'
import {
  fittingText,
  holderOf,
  instantiate,
  isReached,
  LONGEST_TEXT,
  lastChanged,
  liveFlag,
  liveNumber,
  liveText,
  plainText,
  type StatSchema,
  sectionOf,
  type WorldState,
} from './state.ts'

/** Why a change is refused, in the words that are stored. */
export type Reason =
  | UnknownReason
  | 'not a boolean'
  | 'not true'
  | 'not a number'
  | 'not a string'
  | 'not an option'
  | 'cooldown'
  | "counter can't decrease"
  | 'written twice'
  | 'too many changes'
  | 'too long to read'
  | SecondCallReason
  | 'not readable'

/** Why an answer to a second call is refused before it is judged. */
export const SECOND_CALL_REASONS = ['not told', 'no change given'] as const
type SecondCallReason = (typeof SECOND_CALL_REASONS)[number]

interface Move {
  path: string
  /** What was proposed: a change of a number, else a value. */
  asked: unknown
  /** What came of it, in the same measure. */
  given: unknown
  old: unknown
  new: unknown
}

/** What became of one proposed change (rulings: `applied | limited | refused | corrected | manual`). */
export type Verdict =
  | ({ verdict: 'applied'; reason?: never } & Move)
  /** Path or value were put right first: `reason` says how. */
  | ({ verdict: 'corrected'; reason: string } & Move)
  /** Less was given than asked: `reason` names the rule and its number. */
  | ({ verdict: 'limited'; reason: string } & Move)
  /** The player's own doing. `reason` tells when a bound changed the value. */
  | ({ verdict: 'manual'; reason?: string } & Move)
  | { verdict: 'refused'; path: string; asked: unknown; reason: Reason }

/** What the referee made of a delta. */
export interface Refereed {
  after: WorldState
  verdicts: Verdict[]
}

/** More changes than any scene brings; what comes after them is refused as one. */
const MOST_CHANGES = 200
const LONGEST_PATH = 200

/**
 * Judges the changes that a model proposes: checks in order, and what passes is applied to a copy (specification 1.6).
 * `turn` is the index of the action that brings them, the clock of cooldowns. It never throws, whatever it is given.
 */
export function referee(
  schema: StatSchema | null,
  before: WorldState,
  delta: unknown,
  turn: number,
): Refereed {
  const after = copyOf(before, schema)
  const paths = new Paths(readRules(schema))
  const proposed = isObject(delta) ? Object.entries(delta) : []
  const resolved = proposed.slice(0, MOST_CHANGES).map(([written, asked]) => ({
    written,
    asked,
    found: paths.resolve(written),
  }))
  const lastOf = new Map(resolved.map(({ written, found }) => ['path' in found ? found.path : '', written]))
  const verdicts = resolved.flatMap(({ written, asked, found }): Verdict[] => {
    if ('reason' in found) return [refused(cutTo(written, LONGEST_PATH), asked, found.reason)]
    // A cap counts for the turn: two spellings of one path are one change, and the later one is meant.
    if (lastOf.get(found.path) !== written) return [refused(found.path, asked, 'written twice')]
    const verdict = judge(after, found, asked, turn)
    return verdict === null ? [] : [found.corrected ? correct(verdict, written) : verdict]
  })
  const next = proposed[MOST_CHANGES]
  if (next) verdicts.push(refused(cutTo(next[0], LONGEST_PATH), null, 'too many changes'))
  return { after, verdicts }
}

/** A state of its own to work on: a copy, or a fresh one where there is none. */
export function copyOf(before: WorldState, schema: StatSchema | null): WorldState {
  return isObject(before) && Object.keys(before).length > 0 ? structuredClone(before) : instantiate(schema)
}

/** Null when nothing would change. */
function judge(state: WorldState, { target }: Found, asked: unknown, turn: number): Verdict | null {
  switch (target.kind) {
    case 'flag':
      return judgeFlag(state, target.flag, asked)
    case 'milestone':
      return judgeMilestone(state, target.milestone, asked, turn)
    case 'stat':
      return target.stat.kind === 'text'
        ? judgeText(state, target.stat, asked, turn)
        : judgeNumber(state, target.stat, asked, turn)
  }
}

function judgeFlag(state: WorldState, flag: Flag, asked: unknown): Verdict | null {
  const wanted = asked === 'true' ? true : asked === 'false' ? false : asked
  if (typeof wanted !== 'boolean') return refused(flag.path, asked, 'not a boolean')
  const old = liveFlag(state, flag)
  if (old === wanted) return null
  setOwn(sectionOf(state, 'flags'), flag.name, wanted)
  const move = { path: flag.path, asked, given: wanted, old, new: wanted }
  if (wanted === asked) return { verdict: 'applied', ...move }
  return { verdict: 'corrected', ...move, reason: `written as text, meant as ${asked}` }
}

function judgeMilestone(
  state: WorldState,
  milestone: Milestone,
  asked: unknown,
  turn: number,
): Verdict | null {
  if (asked !== true) return refused(milestone.path, asked, 'not true')
  if (isReached(state, milestone)) return null
  setOwn(sectionOf(state, 'milestones'), milestone.name, { reached: true, at: turn })
  return { verdict: 'applied', path: milestone.path, asked, given: true, old: false, new: true }
}

function judgeNumber(state: WorldState, stat: NumberStat, asked: unknown, turn: number): Verdict | null {
  const wanted = readNumber(asked)
  if (wanted === null) return refused(stat.path, asked, 'not a number')
  if (tidy(wanted) === 0) return null
  if (isCooling(state, stat, turn)) return refused(stat.path, asked, 'cooldown')
  if (stat.kind === 'counter' && wanted < 0) return refused(stat.path, asked, "counter can't decrease")
  const old = liveNumber(state, stat)
  const { maxLoss, maxGain } = stat
  const most = Number.POSITIVE_INFINITY
  const capped = Math.min(Math.max(wanted, -(maxLoss ?? most)), maxGain ?? most)
  const next = within(tidy(old + capped), stat.min, stat.max)
  const given = tidy(next - old)
  // What does not move does not begin to rest either.
  if (next !== old) write(state, stat, next, turn)
  const move = { path: stat.path, asked: wanted, given, old, new: next }
  if (given === tidy(wanted)) return { verdict: 'applied', ...move }
  return { verdict: 'limited', ...move, reason: limitOf(stat, wanted, capped, old) }
}

function judgeText(state: WorldState, stat: TextStat, asked: unknown, turn: number): Verdict | null {
  if (typeof asked !== 'string') return refused(stat.path, asked, 'not a string')
  if (isCooling(state, stat, turn)) return refused(stat.path, asked, 'cooldown')
  const next = chosenText(stat, asked)
  if (next === null) return refused(stat.path, asked, 'not an option')
  const old = liveText(state, stat)
  if (old === next) return null
  write(state, stat, next, turn)
  const move = { path: stat.path, asked: storable(asked), given: next, old, new: next }
  if (stat.options || next === plainText(asked)) return { verdict: 'applied', ...move }
  return { verdict: 'limited', ...move, reason: `at most ${stat.maxLength ?? LONGEST_TEXT} characters` }
}

/** The text that is stored for a proposed one: cut to length, or the option in the author's spelling. */
export function chosenText(stat: TextStat, asked: string): string | null {
  if (stat.options === null) return fittingText(stat, asked)
  const wanted = asked.trim().toLowerCase()
  return stat.options.find((option) => option.trim().toLowerCase() === wanted) ?? null
}

/** Whether a stat still rests at `turn`. A stamp from a time to come is left over from actions that were undone. */
export function isCooling(state: WorldState, { path, cooldown }: Stat, turn: number): boolean {
  const last = lastChanged(state, path)
  return last !== null && last <= turn && turn - last < cooldown
}

function write(state: WorldState, stat: Stat, value: number | string, turn: number): void {
  setOwn(holderOf(state, stat), stat.name, value)
  setOwn(sectionOf(state, '_meta', 'last_changed'), stat.path, turn)
}

export function refused(path: string, asked: unknown, reason: Reason): Verdict {
  return { verdict: 'refused', path, asked: storable(asked), reason }
}

function correct(verdict: Verdict, written: string): Verdict {
  if (verdict.verdict !== 'applied') return verdict
  return { ...verdict, verdict: 'corrected', reason: `written as “${cutTo(written, 60)}”` }
}

// What was asked is kept for the player to see, but never more than a line of it.
function storable(asked: unknown): unknown {
  if (typeof asked === 'string') return cutTo(asked, 120)
  const isPlain = asked === null || typeof asked === 'boolean' || Number.isFinite(asked)
  return isPlain ? asked : null
}

function limitOf(stat: NumberStat, wanted: number, capped: number, old: number): string {
  if (stat.max !== null && old + capped > stat.max) return `${stat.max} is the most`
  if (stat.min !== null && old + capped < stat.min) return `${stat.min} is the least`
  const cap = wanted > 0 ? stat.maxGain : stat.maxLoss
  return cap === null || capped === wanted ? 'no larger number is kept' : `at most ${cap} a turn`
}
