import { clamp, readNumber, roundedNumber } from '../../lib/numbers.ts'
import { setOwn } from '../../lib/objects.ts'
import { cutTo } from '../../lib/text.ts'
import { PathResolver, type StatTarget } from './path-resolver.ts'
import { chosenText, copyState, MAX_PATH, type RefereeResult, refused, type Verdict } from './referee.ts'
import { type NumberStat, readRules, type TextStat } from './rules.ts'
import {
  holderOf,
  isReached,
  liveFlag,
  liveNumber,
  liveText,
  plainText,
  type StatSchema,
  sectionOf,
  type WorldState,
} from './state.ts'

/**
 * Sets values for the player: absolute values, ignoring caps, cooldowns and counters but not ranges; flags and milestones
 * both ways. Cooldowns do not start. A value that stays the same gets no verdict.
 */
export function applyManualChange(
  schema: StatSchema | null,
  before: WorldState,
  values: Record<string, unknown>,
): RefereeResult {
  const after = copyState(before, schema)
  const paths = new PathResolver(readRules(schema), { hidden: true })
  const verdicts = Object.entries(values).flatMap(([written, value]): Verdict[] => {
    const found = paths.resolve(written)
    if ('reason' in found) return [refused(cutTo(written, MAX_PATH), value, found.reason)]
    const verdict = set(after, found.target, found.path, value)
    return verdict === null ? [] : [verdict]
  })
  return { after, verdicts }
}

function set(state: WorldState, target: StatTarget, path: string, value: unknown): Verdict | null {
  switch (target.kind) {
    case 'flag': {
      if (typeof value !== 'boolean') return refused(path, value, 'not a boolean')
      const old = liveFlag(state, target.flag)
      setOwn(sectionOf(state, 'flags'), target.flag.name, value)
      return manual({ path, asked: value, old, new: value })
    }
    case 'milestone': {
      if (typeof value !== 'boolean') return refused(path, value, 'not a boolean')
      const old = isReached(state, target.milestone)
      const milestones = sectionOf(state, 'milestones')
      if (value && !old) setOwn(milestones, target.milestone.name, { reached: true })
      if (!value) delete milestones[target.milestone.name]
      return manual({ path, asked: value, old, new: value })
    }
    case 'stat':
      return target.stat.kind === 'text'
        ? setText(state, target.stat, value)
        : setNumber(state, target.stat, value)
  }
}

function setNumber(state: WorldState, stat: NumberStat, value: unknown): Verdict | null {
  const wanted = readNumber(value)
  if (wanted === null) return refused(stat.path, value, 'not a number')
  const old = liveNumber(state, stat)
  const next = clamp(roundedNumber(wanted), stat.min, stat.max)
  setOwn(holderOf(state, stat), stat.name, next)
  const bound = wanted > next ? `${stat.max} is the most` : `${stat.min} is the least`
  return manual(
    { path: stat.path, asked: wanted, old, new: next },
    next === roundedNumber(wanted) ? '' : bound,
  )
}

function setText(state: WorldState, stat: TextStat, value: unknown): Verdict | null {
  if (typeof value !== 'string') return refused(stat.path, value, 'not a string')
  const next = chosenText(stat, value)
  if (next === null) return refused(stat.path, value, 'not an option')
  const old = liveText(state, stat)
  setOwn(holderOf(state, stat), stat.name, next)
  const isWhole = next === plainText(value) || stat.options !== null
  return manual({ path: stat.path, asked: next, old, new: next }, isWhole ? '' : 'cut to its length')
}

/** Null if nothing changed. */
function manual(
  { path, asked, old, new: next }: { path: string; asked: unknown; old: unknown; new: unknown },
  reason = '',
): Verdict | null {
  if (old === next) return null
  const verdict: Verdict = { verdict: 'manual', path, asked, given: next, old, new: next }
  return reason === '' ? verdict : { ...verdict, reason }
}
