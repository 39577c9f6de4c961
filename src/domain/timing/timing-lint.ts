import { foldName } from '../../lib/fold-text.ts'
import { capitalized } from '../../lib/text.ts'
import { type Check, readChecks } from '../checks/check.ts'
import { pathWords } from '../world/change-words.ts'
import { type NumberStat, type Rules, readRules, type Stat } from '../world/rules.ts'
import type { StatSchema } from '../world/state.ts'
import { labelMeant } from '../world/unknown-name.ts'
import { cardKey, type TimedCard } from './record.ts'
import type { Condition, Timing } from './timing.ts'

/** Warnings about a card's timing, in sentences for its author: conditions that can never hold or say nothing. */
type TimingLinter = (card: TimedCard) => string[]

export function timingLinter(schema: StatSchema | null, cards: readonly TimedCard[]): TimingLinter {
  const rules = readRules(schema)
  const checks = readChecks(schema)
  const names = new Set(cards.map(cardKey))
  const groups = Map.groupBy(cards, ({ timing }) => timing?.how.group)
  return ({ timing }) => {
    if (!timing) return []
    const { group } = timing.how
    return [
      ...timing.when.flatMap((condition) => conditionRemarks(condition, rules, names)),
      ...turnRemarks(timing),
      ...howRemarks(timing, checks),
      ...(group !== undefined && groups.get(group)?.length === 1
        ? [`No other card is in the group “${group}”.`]
        : []),
    ]
  }
}

function conditionRemarks(
  condition: Condition,
  { stats, flags, milestones, npcs }: Rules,
  names: ReadonlySet<string>,
): string[] {
  const { kind, of, value } = condition
  if (kind === 'turn') return []
  if (kind === 'card') {
    const isThere = value === false || names.has(of.trim())
    return isThere ? [] : [`There is no card “${of}”, so it is never included.`]
  }
  if (kind === 'stat') {
    const stat = stats.find(({ path }) => path === of)
    return stat ? statRemarks(stat, condition) : [unknownRemark('stat', of, stats)]
  }
  const people = npcs.map(({ id, name }) => ({ path: `npc.${id}`, label: name }))
  const known = { flag: flags, milestone: milestones, present: people }[kind]
  const isThere = known.some(({ path }) => path === of)
  return isThere ? [] : [unknownRemark(kind === 'present' ? 'character' : kind, of, known)]
}

function unknownRemark(what: string, of: string, known: Parameters<typeof labelMeant>[1]): string {
  const meant = labelMeant(of, known)
  return `There is no ${what} “${pathWords(of)}”.${meant === null ? '' : ` Did you mean “${meant}”?`}`
}

/** The name of a stat where it begins a sentence. */
function atStart(path: string): string {
  return capitalized(pathWords(path))
}

function statRemarks(stat: Stat, { of, is, value }: Condition): string[] {
  if (stat.kind !== 'text')
    return typeof value === 'number' ? rangeRemarks(stat, is, value) : bandRemarks(stat, is, value)
  if (is === 'at least' || is === 'at most')
    return [`${atStart(of)} is a text, which is never “${is}” anything.`]
  const isOption = stat.options?.some((option) => foldName(option) === foldName(String(value))) ?? true
  return is === 'is' && !isOption ? [`${atStart(of)} can never be “${value}”.`] : []
}

function bandRemarks({ path, bands }: NumberStat, is: Condition['is'], value: Condition['value']): string[] {
  const isThere = bands.some(({ label }) => foldName(label.trim()) === foldName(String(value).trim()))
  return isThere || is !== 'is' ? [] : [`${atStart(path)} has no label “${value}”.`]
}

/** A counter only goes up, so it never falls below what it begins with. */
function rangeRemarks(stat: NumberStat, is: Condition['is'], value: number): string[] {
  const { path, max, initial, kind } = stat
  const min = kind === 'counter' ? Math.max(initial, stat.min ?? initial) : stat.min
  const isAbove = max !== null && value > max && (is === 'at least' || is === 'is')
  const isBelow = min !== null && value < min && (is === 'at most' || is === 'is')
  if (isAbove)
    return [
      `${atStart(path)} is never more than ${max}, so it is never ${is === 'is' ? '' : 'at least '}${value}.`,
    ]
  return isBelow
    ? [`${atStart(path)} is never less than ${min}, so it is never ${is === 'is' ? '' : 'at most '}${value}.`]
    : []
}

function turnRemarks({ when, how: { begins = 0 } }: Timing): string[] {
  const bounds = (...kinds: Condition['is'][]) =>
    when.flatMap(({ kind, is, value }) => (kind === 'turn' && kinds.includes(is) ? [Number(value)] : []))
  const last = Math.min(...bounds('at most', 'is'))
  if (last <= begins) return [`It begins after turn ${begins}, so turn ${last} is over by then.`]
  return Math.max(...bounds('at least', 'is')) > last
    ? ['The conditions about the turn never hold together.']
    : []
}

function howRemarks({ how }: Timing, checks: readonly Check[]): string[] {
  const { once, rests, check, difficulty } = how
  const called = checks.find(({ name }) => name === check)
  return [
    ...(once && rests !== undefined ? ['It is included once, so it needs no rest.'] : []),
    ...(check !== undefined && !called ? [`There is no check “${check}”.`] : []),
    ...(difficulty !== undefined && check === undefined
      ? ['It has a difficulty, but calls for no check.']
      : []),
    ...(called && difficulty !== undefined && !called.difficulties.some(({ name }) => name === difficulty)
      ? [`The check “${check}” has no difficulty “${difficulty}”.`]
      : []),
  ]
}
