import { foldCase } from '../../lib/fold-text.ts'
import { capitalized, isBlank } from '../../lib/text.ts'
import { parseKeys } from '../cards/keys.ts'
import { type Check, readChecks } from '../checks/check.ts'
import { pathWords } from '../world/change-words.ts'
import { type NumberStat, nameOfMilestone, type Stat } from '../world/rules.ts'
import { initialValue, type StatSchema } from '../world/state.ts'
import { labelMeant } from '../world/unknown-name.ts'
import type { ConditionGroup } from './condition-groups.ts'
import { reachOf } from './reachable.ts'
import { cardKey } from './record.ts'
import { awaited, fewest, type LintedCard, SceneReach, turnRange } from './scene-reach.ts'
import type { Condition, Timing } from './timing.ts'

/** Warnings about a card's timing, in sentences for its author: conditions that can never hold or say nothing. */
type TimingLinter = (card: LintedCard) => string[]

/** A linter for the cards of a scenario or story. Results for one card are reused for the next. */
export function timingLinter(schema: StatSchema | null, cards: readonly LintedCard[]): TimingLinter {
  const scenes = new SceneReach(reachOf(schema), cards)
  const groups = Map.groupBy(cards, ({ timing }) => timing?.how.group)
  const checks = readChecks(schema)
  return (card) => {
    const { timing } = card
    if (!timing) return []
    const single = timing.when.flatMap((condition) => conditionRemarks(condition, scenes))
    const { group } = timing.how
    return [
      ...single,
      ...(single.length === 0 ? reachRemarks(card, scenes) : []),
      ...howRemarks(timing, checks),
      ...(group === undefined ? [] : groupRemarks(card, groups.get(group) ?? [])),
    ]
  }
}

function conditionRemarks(condition: Condition, scenes: SceneReach): string[] {
  const { kind, of, value } = condition
  const { stats, flags, milestones, npcs } = scenes.reach.rules
  if (kind === 'turn') return []
  if (kind === 'card') {
    const isThere = value === false || scenes.named(of).length > 0
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
  const isOption = stat.options?.some((option) => foldCase(option) === foldCase(String(value))) ?? true
  return is === 'is' && !isOption ? [`${atStart(of)} can never be “${value}”.`] : []
}

function bandRemarks({ path, bands }: NumberStat, is: Condition['is'], value: Condition['value']): string[] {
  const isThere = bands.some(({ label }) => foldCase(label.trim()) === foldCase(String(value).trim()))
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

/** Why a card can never be included, though each of its conditions could hold in some state. */
function reachRemarks(card: LintedCard, scenes: SceneReach): string[] {
  if (scenes.earliest(card) !== Number.POSITIVE_INFINITY) return []
  const groups = scenes.groups(card).flatMap((group) => groupRemark(group, scenes))
  const remarks = [...groups, ...chainRemarks(card, scenes), ...lateRemarks(card)]
  return remarks.length > 0 ? remarks : tooSlow(card, scenes)
}

function groupRemark(group: ConditionGroup, { reach }: SceneReach): string[] {
  const { of, holding } = group
  if (holding.length === 0) return [`The conditions about ${pathWords(of)} never hold together.`]
  if (fewest(group) !== Number.POSITIVE_INFINITY) return []
  const stat = reach.rules.stats.find(({ path }) => path === of)
  if (!stat) return []
  const start = initialValue(stat)
  const [{ value } = { value: start }] = holding
  const way = typeof value !== 'number' ? 'changes' : value > Number(start) ? 'raises' : 'lowers'
  const why = stat.hidden ? ': it is hidden from the model, and no check does' : ''
  return [`${atStart(of)} starts at ${start}, and nothing ${way} it that far${why}.`]
}

function chainRemarks(card: LintedCard, scenes: SceneReach): string[] {
  if (waitsFor(card, cardKey(card), scenes))
    return ['It waits for itself to be included, directly or by way of other cards.']
  const unreached = awaited(card).filter(({ of }) => scenes.afterCard(of) === Number.POSITIVE_INFINITY)
  if (unreached.length > 0)
    return unreached.map(({ of }) => `It waits for “${of}”, which can never be included.`)
  const contradicted = scenes.contradicted(card)
  if (contradicted === null) return []
  const { after, of } = contradicted
  const milestone = scenes.reach.rules.milestones.find(({ path }) => path === of)
  const isPath = [...scenes.reach.rules.stats, ...scenes.reach.rules.flags].some(({ path }) => path === of)
  const what = milestone ? `“${nameOfMilestone(milestone)}”` : isPath ? pathWords(of) : of
  return [`It waits for “${after}”, and after that what it says about ${what} never holds.`]
}

/** Whether a chain of cards that wait for each other leads from a card to a name. */
function waitsFor(from: LintedCard, name: string, scenes: SceneReach): boolean {
  const seen = new Set<string>()
  const open = [from]
  for (let card = open.pop(); card; card = open.pop())
    for (const { of } of awaited(card)) {
      if (of.trim() === name) return true
      if (seen.has(of.trim())) continue
      seen.add(of.trim())
      open.push(...scenes.named(of))
    }
  return false
}

function lateRemarks(card: LintedCard): string[] {
  const { from, to } = turnRange(card)
  const begins = card.timing?.how.begins ?? 0
  if (from <= to) return []
  return [
    to <= begins
      ? `It begins after turn ${begins}, so turn ${to} is over by then.`
      : 'The conditions about the turn never hold together.',
  ]
}

/** Conditions that can hold only after the last turn in which the card may be included. */
function tooSlow(card: LintedCard, scenes: SceneReach): string[] {
  const { to } = turnRange(card)
  const slow = scenes
    .groups(card)
    .flatMap((group) => (1 + fewest(group) > to ? [[pathWords(group.of), 1 + fewest(group)]] : []))
  const cards = awaited(card).flatMap(({ of }) =>
    scenes.afterCard(of) > to ? [[`“${of}”`, scenes.afterCard(of)]] : [],
  )
  return [...slow, ...cards].map(
    ([of, turn]) =>
      `It is over after turn ${to}, but what it says about ${of} holds in turn ${turn} at the earliest.`,
  )
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

function groupRemarks(card: LintedCard, members: readonly LintedCard[]): string[] {
  const { group = '', priority = 0, begins = 0 } = card.timing?.how ?? {}
  if (members.length < 2) return [`No other card is in the group “${group}”.`]
  const first = members.find(
    (other) =>
      other !== card &&
      isAlwaysDue(other) &&
      (other.timing?.how.priority ?? 0) > priority &&
      (other.timing?.how.begins ?? 0) <= begins,
  )
  return first ? [`“${first.name}” of the group “${group}” always comes first.`] : []
}

/** Whether a card is due in each turn, whatever happens, once it has begun. */
function isAlwaysDue({ keys = '', entry, timing }: LintedCard): boolean {
  const { once, rests, chance } = timing?.how ?? {}
  const parsed = parseKeys(keys)
  const isTriggered = parsed.some(({ kind, role }) => kind === 'always' && role === 'triggers')
  const isPlain = parsed.every(({ role }) => role === 'triggers') && timing?.when.length === 0
  return isTriggered && isPlain && !isBlank(entry) && !once && rests === undefined && chance === undefined
}
