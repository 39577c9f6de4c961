import type { Hit } from '../cards/card-triggers.ts'
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

/** What timing makes of the triggered cards. Cards that stay need no trigger; of a group, one is left. */
export function timedHits(
  cards: readonly StoryCard[],
  found: Hit[],
  moment: ThrownMoment | null,
  end: number,
): TimedHits {
  if (moment === null) return { hits: found, withheld: [] }
  const standings = cards.map((card) =>
    card.timing ? standingOf({ ...card, timing: card.timing }, moment) : null,
  )
  const all = [...found, ...stayingHits(cards, found, standings, end)]
  const standing = all.map((hit) => standingHit(hit, cards, standings[hit.card] ?? null))
  const due = standing.filter(({ isWithheld }) => !isWithheld)
  const others = otherThanFirst(due, cards)
  const hits = due.filter(({ card }) => !others.has(card))
  const passedOver = due.filter(({ card }) => others.has(card)).map((hit) => withheldBy(hit, others, cards))
  const withheld = [...standing.filter(({ isWithheld }) => isWithheld), ...passedOver]
  return { hits, withheld: withheld.slice(0, MAX_WITHHELD) }
}

function stayingHits(
  cards: readonly StoryCard[],
  found: readonly Hit[],
  standings: readonly (Standing | null)[],
  end: number,
): Hit[] {
  const triggered = new Set(found.map(({ card }) => card))
  return standings.flatMap((standing, card) => {
    const { keys = '', entry = '' } = cards[card] ?? {}
    const mayStay = standing?.stays && !triggered.has(card) && entry.trim() !== '' && !isDisabled(keys)
    return mayStay ? [{ card, key: '', at: end }] : []
  })
}

function standingHit(hit: Hit, cards: readonly StoryCard[], standing: Standing | null): StandingHit {
  if (standing === null) return { ...hit, stays: false }
  const { isDue, stays, why } = standing
  const priority = cards[hit.card]?.timing?.how.priority ?? 0
  return { ...hit, stays, why, priority, ...(isDue ? {} : { isWithheld: true }) }
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
