import { foldName } from '../../lib/fold-text.ts'
import { copyJson } from '../../lib/json.ts'
import { clamp, readNumber, roundedNumber } from '../../lib/numbers.ts'
import { isObject, setOwn } from '../../lib/objects.ts'
import { cutTo } from '../../lib/text.ts'
import { fillWithNames } from '../text/placeholder.ts'
import { PathResolver, type ResolvedPath, type UnknownReason } from './path-resolver.ts'
import { type Flag, type Milestone, type NumberStat, readRules, type Stat, type TextStat } from './rules.ts'
import {
  fittingText,
  holderOf,
  instantiate,
  isReached,
  lastChanged,
  liveFlag,
  liveNumber,
  liveText,
  MAX_TEXT,
  plainText,
  type StatSchema,
  sectionOf,
  type WorldState,
} from './state.ts'

/** Stored with the record of a passage. */
export type VerdictReason =
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
  | UnjudgedReason

/** Reasons for a refusal before judging. The first two are those of state blocks, which older versions read. */
export const UNJUDGED_REASONS = ['not readable', 'too long to read', 'not told', 'no change given'] as const
type UnjudgedReason = (typeof UNJUDGED_REASONS)[number]

interface Move {
  path: string
  /** The change of a number, or the new value of anything else. */
  asked: unknown
  /** The granted part, in the same terms. */
  given: unknown
  old: unknown
  new: unknown
  /** The sentence of the passage that tells it. */
  because?: string
}

export type Verdict =
  | ({ verdict: 'applied'; reason?: never } & Move)
  /** Path or value had to be corrected first: `reason` says how. */
  | ({ verdict: 'corrected'; reason: string } & Move)
  /** Less was granted than proposed: `reason` names the rule and its number. */
  | ({ verdict: 'limited'; reason: string } & Move)
  /** Set by the player. `reason` is given if a bound changed the value. */
  | ({ verdict: 'manual'; reason?: string } & Move)
  /** Changed by the dice, not by the model. `reason` is given if a bound changed the value. */
  | ({ verdict: 'rolled'; reason?: string } & Move)
  | { verdict: 'refused'; path: string; asked: unknown; reason: VerdictReason; because?: string }

export interface RefereeResult {
  after: WorldState
  verdicts: Verdict[]
}

/** More changes than any scene needs. The rest are refused as one. */
const MAX_CHANGES = 200
export const MAX_PATH = 200
const MAX_ASKED = 120
const MAX_SPELLING = 60

/**
 * Judges the changes that a model proposes, in order, and applies those that pass to a copy. `turn` is the index of the
 * action that proposes them; cooldowns are counted in these indexes. `paths` are those of the schema, where they are known
 * already. Never throws, whatever the input.
 */
export function referee(
  schema: StatSchema | null,
  before: WorldState,
  delta: unknown,
  turn: number,
  paths = new PathResolver(readRules(schema)),
): RefereeResult {
  const after = copyState(before, schema)
  const proposed = isObject(delta) ? Object.entries(delta) : []
  const resolved = proposed.slice(0, MAX_CHANGES).map(([written, asked]) => ({
    written,
    asked,
    found: paths.resolve(written),
  }))
  const lastOf = new Map(resolved.map(({ written, found }) => ['path' in found ? found.path : '', written]))
  const verdicts = resolved.flatMap(({ written, asked, found }): Verdict[] => {
    if ('reason' in found) return [refused(cutTo(written, MAX_PATH), asked, found.reason)]
    // A cap applies to the whole turn: of two spellings of one path, only the later one counts.
    if (lastOf.get(found.path) !== written) return [refused(found.path, asked, 'written twice')]
    const verdict = judge(after, found, asked, turn)
    return verdict === null ? [] : [found.corrected ? withSpelling(verdict, written) : verdict]
  })
  const next = proposed[MAX_CHANGES]
  if (next) verdicts.push(refused(cutTo(next[0], MAX_PATH), null, 'too many changes'))
  return { after, verdicts }
}

/** A copy of a state to change, or a fresh one if it is empty. */
export function copyState(before: WorldState, schema: StatSchema | null): WorldState {
  return isObject(before) && Object.keys(before).length > 0 ? copyJson(before) : instantiate(schema)
}

/** Null if nothing would change. */
function judge(state: WorldState, { target }: ResolvedPath, asked: unknown, turn: number): Verdict | null {
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
  if (roundedNumber(wanted) === 0) return null
  if (isCooling(state, stat, turn)) return refused(stat.path, asked, 'cooldown')
  if (stat.kind === 'counter' && wanted < 0) return refused(stat.path, asked, "counter can't decrease")
  const old = liveNumber(state, stat)
  const { maxLoss, maxGain } = stat
  const most = Number.POSITIVE_INFINITY
  const capped = Math.min(Math.max(wanted, -(maxLoss ?? most)), maxGain ?? most)
  const next = clamp(roundedNumber(old + capped), stat.min, stat.max)
  const given = roundedNumber(next - old)
  // A value that does not change does not start its cooldown.
  if (next !== old) write(state, stat, next, turn)
  const move = { path: stat.path, asked: wanted, given, old, new: next }
  if (given === roundedNumber(wanted)) return { verdict: 'applied', ...move }
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
  return { verdict: 'limited', ...move, reason: `at most ${stat.maxLength ?? MAX_TEXT} characters` }
}

/** Cut to its maximum length, or the option in the author's spelling; null if none matches. */
export function chosenText(stat: TextStat, asked: string): string | null {
  if (stat.options === null) return fittingText(stat, asked)
  const wanted = foldName(asked)
  return (
    stat.options.find(
      (option) => foldName(option) === wanted || foldName(fillWithNames(option, {})) === wanted,
    ) ?? null
  )
}

/** A change recorded at a later index belongs to actions that were undone. */
export function isCooling(state: WorldState, { path, cooldown }: Stat, turn: number): boolean {
  const last = lastChanged(state, path)
  return last !== null && last <= turn && turn - last < cooldown
}

function write(state: WorldState, stat: Stat, value: number | string, turn: number): void {
  setOwn(holderOf(state, stat), stat.name, value)
  setOwn(sectionOf(state, '_meta', 'last_changed'), stat.path, turn)
}

export function refused(path: string, asked: unknown, reason: VerdictReason): Verdict {
  return { verdict: 'refused', path, asked: storable(asked), reason }
}

function withSpelling(verdict: Verdict, written: string): Verdict {
  if (verdict.verdict !== 'applied') return verdict
  return { ...verdict, verdict: 'corrected', reason: `written as “${cutTo(written, MAX_SPELLING)}”` }
}

// The proposal is stored for the player to see, but no more than a line of it.
function storable(asked: unknown): unknown {
  if (typeof asked === 'string') return cutTo(asked, MAX_ASKED)
  const isScalar = asked === null || typeof asked === 'boolean' || Number.isFinite(asked)
  return isScalar ? asked : null
}

function limitOf(stat: NumberStat, wanted: number, capped: number, old: number): string {
  if (stat.max !== null && old + capped > stat.max) return `${stat.max} is the most`
  if (stat.min !== null && old + capped < stat.min) return `${stat.min} is the least`
  const cap = wanted > 0 ? stat.maxGain : stat.maxLoss
  return cap === null || capped === wanted ? 'no larger number is kept' : `at most ${cap} a turn`
}
