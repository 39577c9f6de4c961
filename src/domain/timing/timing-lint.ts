import { foldCase } from '../../lib/fold-text.ts'
import type { NumberStat, Rules, Stat } from '../world/rules.ts'
import { cardKey } from './record.ts'
import type { Condition, Timing } from './timing.ts'

interface LintedCard {
  name: string
  entry: string
  timing?: Timing | null
}

/** What a card's timing is read against. */
interface Surroundings {
  rules: Rules
  cards: readonly LintedCard[]
}

/** What of a card's timing can never hold, or says nothing, in sentences for its author. */
export function timingRemarks(card: LintedCard, around: Surroundings): string[] {
  const { timing } = card
  if (!timing) return []
  return [
    ...timing.when.flatMap((condition) => conditionRemarks(condition, around)),
    ...contradictions(timing),
    ...cardRemarks(card, timing, around.cards),
    ...howRemarks(timing, around.cards),
  ]
}

function conditionRemarks(condition: Condition, { rules, cards }: Surroundings): string[] {
  const { kind, of, value } = condition
  if (kind === 'turn') return []
  if (kind === 'card') {
    const isThere = cards.some((card) => cardKey(card) === of.trim())
    return isThere || value === false ? [] : [`There is no card “${of}”, so it is never told.`]
  }
  if (kind === 'stat') {
    const stat = rules.stats.find(({ path }) => path === of)
    return stat ? statRemarks(stat, condition) : [`There is no stat ${of}.`]
  }
  const people = rules.npcs.map(({ id }) => ({ path: `npc.${id}` }))
  const isThere = [...rules.flags, ...rules.milestones, ...people].some(({ path }) => path === of)
  return isThere ? [] : [`There is no ${kind === 'present' ? 'character' : kind} ${of}.`]
}

function statRemarks(stat: Stat, { of, is, value }: Condition): string[] {
  if (stat.kind !== 'text')
    return typeof value === 'number' ? rangeRemarks(stat, { is, value }) : bandRemarks(stat, is, value)
  if (is === 'at least' || is === 'at most') return [`${of} is a text, which is never “${is}” anything.`]
  const isOption = stat.options?.some((option) => foldCase(option) === foldCase(String(value))) ?? true
  return is === 'is' && !isOption ? [`${of} can never be “${value}”.`] : []
}

function bandRemarks({ path, bands }: NumberStat, is: Condition['is'], value: Condition['value']): string[] {
  const isThere = bands.some(({ label }) => foldCase(label.trim()) === foldCase(String(value).trim()))
  return isThere || is !== 'is' ? [] : [`${path} has no label “${value}”.`]
}

/** A counter only goes up, so it never falls below what it begins with. */
function rangeRemarks(stat: NumberStat, { is, value }: { is: Condition['is']; value: number }): string[] {
  const { path, max, initial, kind } = stat
  const min = kind === 'counter' ? Math.max(initial, stat.min ?? initial) : stat.min
  const isAbove = max !== null && value > max && (is === 'at least' || is === 'is')
  const isBelow = min !== null && value < min && (is === 'at most' || is === 'is')
  if (isAbove)
    return [`${path} is never more than ${max}, so it is never ${is === 'is' ? '' : 'at least '}${value}.`]
  return isBelow
    ? [`${path} is never less than ${min}, so it is never ${is === 'is' ? '' : 'at most '}${value}.`]
    : []
}

/** Pairs of conditions about one thing that never hold together. */
function contradictions({ when, how }: Timing): string[] {
  const pairs = when.flatMap((one, i) => when.slice(i + 1).map((other) => [one, other] as const))
  const broken = pairs.filter(
    ([one, other]) =>
      one.kind === other.kind && one.of === other.of && (excludes(one, other) || excludes(other, one)),
  )
  const late = when.filter(
    ({ kind, is, value }) => kind === 'turn' && is !== 'at least' && Number(value) <= (how.begins ?? 0),
  )
  return [
    ...broken.map(
      ([{ kind, of }]) => `Two conditions about ${kind === 'turn' ? 'the turn' : of} never hold together.`,
    ),
    ...late.map(({ value }) => `It begins after turn ${how.begins}, so turn ${value} is over by then.`),
  ]
}

function excludes({ is, value }: Condition, other: Condition): boolean {
  if (is === 'is' && other.is === 'is') return typeof value === typeof other.value && value !== other.value
  if (is === 'is' && other.is === 'is not') return value === other.value
  if (typeof value !== 'number' || typeof other.value !== 'number') return false
  if (other.is === 'at most') return (is === 'at least' || is === 'is') && value > other.value
  return is === 'is' && other.is === 'at least' && value < other.value
}

function cardRemarks(card: LintedCard, { when }: Timing, cards: readonly LintedCard[]): string[] {
  const own = cardKey(card)
  const waits = when.some(({ kind, value }) => kind === 'card' && value === true)
  if (!waits || !waitsFor(card, own, cards)) return []
  return ['It waits for itself to be told, directly or by way of other cards.']
}

/** Whether a chain of cards that wait for each other leads from a card to a name. */
function waitsFor(from: LintedCard, name: string, cards: readonly LintedCard[]): boolean {
  const seen = new Set<string>()
  const open = [from]
  for (let card = open.pop(); card; card = open.pop())
    for (const { kind, of, value } of card.timing?.when ?? []) {
      if (kind !== 'card' || value !== true || seen.has(of.trim())) continue
      if (of.trim() === name) return true
      seen.add(of.trim())
      open.push(...cards.filter((other) => cardKey(other) === of.trim()))
    }
  return false
}

function howRemarks({ how }: Timing, cards: readonly LintedCard[]): string[] {
  const { once, rests, group } = how
  const members = cards.filter(({ timing }) => timing?.how.group === group).length
  return [
    ...(once && rests !== undefined ? ['It is told once, so it need not rest.'] : []),
    ...(group !== undefined && members < 2 ? [`No other card is in the group “${group}”.`] : []),
  ]
}
