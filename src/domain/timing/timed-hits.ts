import { isBlank } from '../../lib/text.ts'
import type { CardMatcher, Hit } from '../cards/card-triggers.ts'
import { isDisabled } from '../cards/keys.ts'
import type { StoryCard } from '../story-card.ts'
import { type Standing, standingOf, type ThrownMoment } from './due-cards.ts'

/** Cards that are kept away and listed; more would only fill the record of a prompt. */
const MAX_WITHHELD = 100

interface TimedHits {
  hits: Hit[]
  /** Those that their timing keeps away. */
  withheld: Hit[]
}

/** A hit, and whether it stays from an earlier turn. */
type StandingHit = Hit & { stays: boolean }

/** What cards are looked for with. */
interface CardSearch {
  cards: readonly StoryCard[]
  matcher: CardMatcher
  /** Null in a story without timed cards. */
  moment: ThrownMoment | null
}

/** Cards with what their timing says of each, and where the text ends. */
interface StandingCards {
  cards: readonly StoryCard[]
  /** Null for a card without timing. */
  standingAt: (card: number) => Standing | null
  end: number
}

/** How often cards can trigger further ones in a turn. */
const MAX_STEPS = 5

/** The cards that a text brings, and those that the texts of due cards bring. */
export function hitsIn(text: string, search: CardSearch): TimedHits {
  const { cards, matcher, moment } = search
  if (moment === null) return { hits: matcher.match(text), withheld: [] }
  const standingAt = standings(cards, moment)
  const timed = (some: Hit[]) => timedHits(some, { cards, standingAt, end: text.length })
  let found = matcher.match(text).filter(({ card }) => cards[card]?.timing?.how.triggered_by !== 'cards')
  let result = timed(found)
  for (let step = 0; step < MAX_STEPS; step++) {
    const known = new Set([...found, ...result.hits].map(({ card }) => card))
    const led = ledHits(text, result.hits, search).filter(({ card }) => !known.has(card))
    if (led.length === 0) break
    found = [...found, ...led]
    result = timed(found)
  }
  return result
}

/** Decides each card once, and only those that are asked for. */
function standings(cards: readonly StoryCard[], moment: ThrownMoment): StandingCards['standingAt'] {
  const known = new Map<number, Standing | null>()
  return (card) => {
    const { name = '', entry = '', timing } = cards[card] ?? {}
    const standing = known.get(card) ?? (timing ? standingOf({ name, entry, timing }, moment) : null)
    known.set(card, standing)
    return standing
  }
}

/** The cards that the texts of due cards trigger. */
function ledHits(text: string, hits: readonly Hit[], { cards, matcher }: CardSearch): Hit[] {
  const leading = hits.filter(({ card, blocked }) => cards[card]?.timing?.how.triggers_others && !blocked)
  if (leading.length === 0) return []
  const entries = leading.map(({ card }) => cards[card]?.entry ?? '')
  return matcher
    .match([text, ...entries].join('\n'))
    .filter(({ card, at }) => at > text.length && cards[card]?.timing?.how.triggered_by !== 'story')
    .map((hit) => ({ ...hit, at: BEHIND_THE_STORY, why: ['triggered by the text of another card'] }))
}

/** Where a card stands that the story itself does not mention. */
const BEHIND_THE_STORY = -1

/** What timing makes of the triggered cards. Cards that stay need no trigger; of a group, one is left. */
function timedHits(found: readonly Hit[], standing: StandingCards): TimedHits {
  const { cards, standingAt } = standing
  const all = [...found, ...stayingHits(found, standing)]
  const known = all.map((hit) => standingHit(hit, cards, standingAt(hit.card)))
  const due = known.filter(({ isWithheld }) => !isWithheld)
  const others = otherThanFirst(due, cards)
  const hits = due.filter(({ card }) => !others.has(card))
  const passedOver = due.filter(({ card }) => others.has(card)).map((hit) => withheldBy(hit, others, cards))
  const withheld = [...known.filter(({ isWithheld }) => isWithheld), ...passedOver]
  return { hits, withheld: withheld.slice(0, MAX_WITHHELD) }
}

function stayingHits(found: readonly Hit[], { cards, standingAt, end }: StandingCards): Hit[] {
  const triggered = new Set(found.map(({ card }) => card))
  return cards.flatMap(({ keys, entry, timing }, card) => {
    if (timing?.how.stays === undefined || triggered.has(card) || isBlank(entry) || isDisabled(keys))
      return []
    return standingAt(card)?.stays ? [{ card, key: '', at: end }] : []
  })
}

function standingHit(hit: Hit, cards: readonly StoryCard[], standing: Standing | null): StandingHit {
  if (standing === null) return { ...hit, stays: false }
  const { isDue, stays, why } = standing
  const priority = cards[hit.card]?.timing?.how.priority ?? 0
  return {
    ...hit,
    stays,
    why: [...(hit.why ?? []), ...why],
    priority,
    ...(isDue ? {} : { isWithheld: true }),
  }
}

/** The cards that give way to another one of their group, with the index of that one. */
function otherThanFirst(due: readonly StandingHit[], cards: readonly StoryCard[]): Map<number, number> {
  const groupOf = ({ card }: Hit) => cards[card]?.timing?.how.group
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

/** One that stays is not interrupted. */
function byRank(a: StandingHit, b: StandingHit): number {
  return (
    Number(b.stays) - Number(a.stays) ||
    (b.priority ?? 0) - (a.priority ?? 0) ||
    b.at - a.at ||
    a.card - b.card
  )
}

function withheldBy(hit: StandingHit, others: Map<number, number>, cards: readonly StoryCard[]): Hit {
  const first = cards[others.get(hit.card) ?? -1]
  const group = first?.timing?.how.group ?? ''
  return { ...hit, isWithheld: true, why: [`“${first?.name ?? ''}” of the group “${group}” comes first`] }
}
