import { isBlank } from '../../lib/text.ts'
import { lastMentionedFirst } from '../cards/card-budget.ts'
import type { CardMatcher, Hit } from '../cards/card-triggers.ts'
import { isDisabled } from '../cards/keys.ts'
import type { StoryCard } from '../story-card.ts'
import { type Standing, type StoryMoment, standingOf } from './due-cards.ts'

/** The most hits of a turn. More would not fit into a prompt, and only fill its record. */
const MAX_HITS = 200

interface TimedHits {
  hits: Hit[]
  withheld: Hit[]
}

/** A hit with the reasons of its timing, and whether it stays from an earlier turn. */
type StandingHit = Omit<Hit, 'why'> & { stays: boolean; why: () => string[] }

interface CardSearch {
  cards: readonly StoryCard[]
  matcher: CardMatcher
  /** Null in a story without timed cards. */
  moment: StoryMoment | null
}

/** Rounds in which cards trigger further ones in a turn. */
const MAX_STEPS = 5

/** The cards that a text triggers, and those that the entries of due cards trigger. */
export function hitsIn(text: string, { cards, matcher, moment }: CardSearch): TimedHits {
  if (moment === null) return { hits: firstRanked(matcher.match(text)), withheld: [] }
  const hitsBehind = matcher.read(text)
  const standingAt = standings(cards, moment)
  const judged = (hit: Hit) => standingHit(hit, cards[hit.card], standingAt(hit.card))
  let found = hitsBehind([], (card) => cards[card]?.timing?.how.triggered_by !== 'cards').map(judged)
  const staying = stayingCards(cards, standingAt).map((card) => judged({ card, key: '', at: text.length }))
  let result = timedHits(found, staying, cards)
  for (let step = 0; step < MAX_STEPS; step++) {
    const known = new Set([...found, ...result.hits].map(({ card }) => card))
    const led = ledHits(result.hits, cards, (leading, isWanted) =>
      hitsBehind(leading, (card) => !known.has(card) && isWanted(card)).filter(({ at }) => at > text.length),
    )
    if (led.length === 0) break
    found = [...found, ...led.map(judged)]
    result = timedHits(found, staying, cards)
  }
  return {
    hits: firstRanked(result.hits).map(toHit),
    withheld: result.withheld.slice(0, MAX_HITS).map(toHit),
  }
}

function firstRanked<Ranked extends Pick<Hit, 'card' | 'at' | 'priority'>>(
  hits: readonly Ranked[],
): Ranked[] {
  return hits.length > MAX_HITS ? lastMentionedFirst(hits).slice(0, MAX_HITS) : [...hits]
}

function toHit({ stays: _, why, ...hit }: StandingHit): Hit {
  return { ...hit, why: why() }
}

/** Decides each card once, and only when it is asked for. */
function standings(cards: readonly StoryCard[], moment: StoryMoment): (card: number) => Standing | null {
  const known = new Map<number, Standing | null>()
  return (card) => {
    const { name = '', entry = '', timing } = cards[card] ?? {}
    const standing = known.get(card) ?? (timing ? standingOf({ name, entry, timing }, moment) : null)
    known.set(card, standing)
    return standing
  }
}

function ledHits(
  hits: readonly StandingHit[],
  cards: readonly StoryCard[],
  hitsBehind: ReturnType<CardMatcher['read']>,
): Hit[] {
  const timingOf = (card: number) => cards[card]?.timing?.how
  const leading = hits.filter(({ card, blocked }) => timingOf(card)?.triggers_others && !blocked)
  if (leading.length === 0) return []
  const found = hitsBehind(
    leading.map(({ card }) => card),
    (card) => timingOf(card)?.triggered_by !== 'story',
  )
  return found.map((hit) => ({
    ...hit,
    at: BEHIND_THE_STORY,
    why: ['triggered by the text of another card'],
  }))
}

/** The position of a card that the story itself does not mention. */
const BEHIND_THE_STORY = -1

/** Applies timing to the triggered cards. Of a group, one is left. */
function timedHits(
  found: readonly StandingHit[],
  staying: readonly StandingHit[],
  cards: readonly StoryCard[],
): Record<keyof TimedHits, StandingHit[]> {
  const triggered = new Set(found.map(({ card }) => card))
  const known = [...found, ...staying.filter(({ card }) => !triggered.has(card))]
  const due = known.filter(({ isWithheld }) => !isWithheld)
  const others = otherThanFirst(due, cards)
  const hits = due.filter(({ card }) => !others.has(card))
  const passedOver = due.filter(({ card }) => others.has(card)).map((hit) => withheldBy(hit, others, cards))
  const withheld = [...known.filter(({ isWithheld }) => isWithheld), ...passedOver]
  return { hits, withheld }
}

function stayingCards(cards: readonly StoryCard[], standingAt: (card: number) => Standing | null): number[] {
  return cards.flatMap(({ keys, entry, timing }, card) => {
    const stays = timing?.how.stays !== undefined && standingAt(card)?.stays
    return stays && !isBlank(entry) && !isDisabled(keys) ? [card] : []
  })
}

function standingHit(hit: Hit, card: StoryCard | undefined, standing: Standing | null): StandingHit {
  const led = hit.why ?? []
  if (standing === null) return { ...hit, stays: false, why: () => led }
  const { isDue, stays, why } = standing
  return {
    ...hit,
    stays,
    why: () => [...led, ...why()],
    priority: card?.timing?.how.priority ?? 0,
    ...(isDue ? {} : { isWithheld: true }),
  }
}

/** The cards that lose to another card of their group, with the index of the winner. */
function otherThanFirst(due: readonly StandingHit[], cards: readonly StoryCard[]): Map<number, number> {
  const groupOf = ({ card }: StandingHit) => cards[card]?.timing?.how.group
  const groups = Map.groupBy(
    due.filter((hit) => groupOf(hit) !== undefined && hit.blocked === undefined),
    groupOf,
  )
  return new Map(
    [...groups.values()].flatMap((members) => {
      const [first, ...others] = members.toSorted(byRank)
      return others.map(({ card }) => [card, first?.card ?? 0] as const)
    }),
  )
}

/** A card that stays from an earlier turn wins. */
function byRank(a: StandingHit, b: StandingHit): number {
  return (
    Number(b.stays) - Number(a.stays) ||
    (b.priority ?? 0) - (a.priority ?? 0) ||
    b.at - a.at ||
    a.card - b.card
  )
}

function withheldBy(hit: StandingHit, others: Map<number, number>, cards: readonly StoryCard[]): StandingHit {
  const first = cards[others.get(hit.card) ?? -1]
  const group = first?.timing?.how.group ?? ''
  return {
    ...hit,
    isWithheld: true,
    why: () => [`“${first?.name ?? ''}” of the group “${group}” comes first`],
  }
}
