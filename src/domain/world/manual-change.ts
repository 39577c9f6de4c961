import { cutTo } from '../../lib/text.ts'
import { readNumber, tidy, within } from '../../lib/numbers.ts'
import { setOwn } from '../../lib/objects.ts'
import { chosenText, copyOf, type Refereed, refused, type Verdict } from './referee.ts'
import { Paths, type Target } from './block/path-resolver.ts'
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
 * Sets values by the player's own hand: absolute, whatever cap, cooldown or counter say, but inside their range; flags
 * and milestones both ways. Cooldowns are not touched. What would change nothing is no change.
 */
export function setByHand(
  schema: StatSchema | null,
  before: WorldState,
  values: Record<string, unknown>,
): Refereed {
  const after = copyOf(before, schema)
  const paths = new Paths(readRules(schema), { hidden: true })
  const verdicts = Object.entries(values).flatMap(([written, value]): Verdict[] => {
    const found = paths.resolve(written)
    if ('reason' in found) return [refused(cutTo(written, 200), value, found.reason)]
    const verdict = set(after, found.target, found.path, value)
    return verdict === null ? [] : [verdict]
  })
  return { after, verdicts }
}

function set(state: WorldState, target: Target, path: string, value: unknown): Verdict | null {
  switch (target.kind) {
    case 'flag': {
      if (typeof value !== 'boolean') return refused(path, value, 'not a boolean')
      const old = liveFlag(state, target.flag)
      setOwn(sectionOf(state, 'flags'), target.flag.name, value)
      return manual(path, value, old, value)
    }
    case 'milestone': {
      if (typeof value !== 'boolean') return refused(path, value, 'not a boolean')
      const old = isReached(state, target.milestone)
      const milestones = sectionOf(state, 'milestones')
      if (value && !old) setOwn(milestones, target.milestone.name, { reached: true })
      if (!value) delete milestones[target.milestone.name]
      return manual(path, value, old, value)
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
  const next = within(tidy(wanted), stat.min, stat.max)
  setOwn(holderOf(state, stat), stat.name, next)
  const bound = wanted > next ? `${stat.max} is the most` : `${stat.min} is the least`
  return manual(stat.path, wanted, old, next, next === tidy(wanted) ? undefined : bound)
}

function setText(state: WorldState, stat: TextStat, value: unknown): Verdict | null {
  if (typeof value !== 'string') return refused(stat.path, value, 'not a string')
  const next = chosenText(stat, value)
  if (next === null) return refused(stat.path, value, 'not an option')
  const old = liveText(state, stat)
  setOwn(holderOf(state, stat), stat.name, next)
  return manual(
    stat.path,
    next,
    old,
    next,
    next === plainText(value) || stat.options ? undefined : 'cut to its length',
  )
}

function manual(path: string, asked: unknown, old: unknown, next: unknown, reason?: string): Verdict | null {
  if (old === next) return null
  return {
    verdict: 'manual',
    path,
    asked,
    given: next,
    old,
    new: next,
    ...(reason === undefined ? {} : { reason }),
  }
}
