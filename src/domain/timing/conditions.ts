import { foldName } from '../../lib/fold-text.ts'
import { ownValue } from '../../lib/objects.ts'
import { capitalized } from '../../lib/text.ts'
import { pathWords } from '../world/change-words.ts'
import { bandOf, nameOfMilestone, nameOfStat, type Rules, type Stat } from '../world/rules.ts'
import { isReached, liveFlag, liveNumber, liveText, type WorldState } from '../world/state.ts'
import type { TimingRecord } from './record.ts'
import type { Comparison, Condition, ConditionKind } from './timing.ts'

/** Inputs of conditions: the number of the turn, the world before it, and the cards included before. */
export interface TimedMoment {
  turn: number
  rules: Rules
  state: WorldState
  record: TimingRecord | null
  /** The ids of the characters whom the newest passages mention. */
  present: ReadonlySet<string>
  /** All cards, the one that did, or none, as without a line or where another check is tried. */
  callers: 'all' | { key: string } | null
}

/** Result of a condition, with the reason for the player. */
interface ConditionFact {
  holds: boolean
  /** Created only when shown: a turn decides thousands of conditions and shows few of them. */
  words: () => string
}

/** A condition about something unknown never holds. */
export function conditionFact(condition: Condition, moment: TimedMoment): ConditionFact {
  return FACTS[condition.kind](condition, moment)
}

type Fact = (condition: Condition, moment: TimedMoment) => ConditionFact

const FACTS: Record<ConditionKind, Fact> = {
  stat: (condition, { rules, state }) => {
    const stat = rules.stats.find(({ path }) => path === condition.of)
    return stat ? statFact(stat, condition, rules, state) : missing(condition.of)
  },
  flag: ({ of, value }, { rules, state }) => {
    const flag = rules.flags.find(({ path }) => path === of)
    return flag ? yesNoFact(flag.label, liveFlag(state, flag), value) : missing(of)
  },
  milestone: ({ of, value }, { rules, state }) => {
    const milestone = rules.milestones.find(({ path }) => path === of)
    if (!milestone) return missing(of)
    const reached = isReached(state, milestone)
    return {
      holds: reached === value,
      words: () => `“${nameOfMilestone(milestone)}” is ${reached ? 'reached' : 'not reached'}`,
    }
  },
  turn: ({ is, value }, { turn }) =>
    comparedFact({ name: 'The turn', actual: turn, holds: compare(is, turn, value) }, is, value),
  card: ({ of, value }, { record }) => {
    const included = ownValue(record?.began ?? {}, of.trim()) !== undefined
    return {
      holds: included === value,
      words: () => `“${of}” was ${included ? 'included' : 'not included'} before`,
    }
  },
  present: ({ of, value }, { rules, present }) => {
    const npc = rules.npcs.find(({ id }) => of === `npc.${id}`)
    if (!npc) return missing(of)
    const isPresent = present.has(npc.id)
    return {
      holds: isPresent === value,
      words: () => `${npc.name} is ${isPresent ? 'present' : 'not present'}`,
    }
  },
}

function statFact(stat: Stat, { is, value }: Condition, rules: Rules, state: WorldState): ConditionFact {
  const name = statName(stat, rules.npcs)
  if (stat.kind === 'text') {
    const actual = liveText(state, stat)
    return comparedFact({ name, actual: `“${actual}”`, holds: compare(is, actual, String(value)) }, is, value)
  }
  const number = liveNumber(state, stat)
  if (typeof value === 'number')
    return comparedFact({ name, actual: number, holds: compare(is, number, value) }, is, value)
  const band = bandOf(stat, number) ?? 'nothing'
  return comparedFact({ name, actual: `${number} (${band})`, holds: compare(is, band, value) }, is, value)
}

/** The name of a stat where it begins a line: “Trust of Brisa”. */
export function statName(stat: Stat, npcs: Rules['npcs']): string {
  return capitalized(nameOfStat(stat, npcs))
}

function compare(is: Comparison, actual: number | string, value: Condition['value']): boolean {
  switch (is) {
    case 'at least':
      return typeof actual === 'number' && typeof value === 'number' && actual >= value
    case 'at most':
      return typeof actual === 'number' && typeof value === 'number' && actual <= value
    case 'is':
      return sameValue(actual, value)
    case 'is not':
      return typeof actual === typeof value && !sameValue(actual, value)
  }
}

function sameValue(actual: number | string, value: Condition['value']): boolean {
  if (typeof actual === 'number' || typeof value !== 'string') return actual === value
  return foldName(actual) === foldName(value)
}

function comparedFact(
  { name, actual, holds }: { name: string; actual: number | string; holds: boolean },
  is: Comparison,
  value: Condition['value'],
): ConditionFact {
  const wanted = () =>
    `${is === 'is' ? '' : `${is === 'is not' ? 'not' : is} `}${typeof value === 'string' ? `“${value}”` : value}`
  const words = () =>
    `${name} is ${actual}, ${holds ? wanted() : `not ${wanted()}`}`.replace(', not not', ', which is')
  return { holds, words }
}

function yesNoFact(label: string, actual: boolean, value: Condition['value']): ConditionFact {
  const name = capitalized(label)
  return { holds: actual === value, words: () => `${name} is ${actual ? 'yes' : 'no'}` }
}

function missing(of: string): ConditionFact {
  return { holds: false, words: () => `There is no “${pathWords(of)}”` }
}
