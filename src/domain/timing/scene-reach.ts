import { type ConditionGroup, groupConditions } from './condition-groups.ts'
import type { Reach } from './reachable.ts'
import { cardKey, type TimedCard } from './record.ts'
import type { Condition } from './timing.ts'

export interface LintedCard extends TimedCard {
  keys?: string
}

/** What holds forever after a card was included. */
interface Since {
  cards: Set<string>
  milestones: Set<string>
  /** The lowest possible values of counters. */
  counters: Map<string, number>
}

/**
 * Computes the first turn in which a card can be included, in the best case for each of its conditions. A card that it
 * calls impossible is impossible; one that it calls possible may still never be included.
 */
export class SceneReach {
  readonly #cards: Map<string, LintedCard[]>
  readonly #earliest = new Map<LintedCard, number>()
  readonly #groups = new Map<LintedCard, ConditionGroup[]>()

  constructor(
    readonly reach: Reach,
    cards: readonly LintedCard[],
  ) {
    this.#cards = Map.groupBy(cards, cardKey)
  }

  named(name: string): LintedCard[] {
    return this.#cards.get(name.trim()) ?? []
  }

  groups(card: LintedCard): ConditionGroup[] {
    const known = this.#groups.get(card)
    if (known) return known
    const groups = groupConditions(card.timing?.when ?? [], this.reach)
    this.#groups.set(card, groups)
    return groups
  }

  /** The first turn in which a card can be included; Infinity if it never can. */
  earliest(card: LintedCard): number {
    const known = this.#earliest.get(card)
    if (known !== undefined) return known
    // For the time being: a card that waits for itself is never included.
    this.#earliest.set(card, Number.POSITIVE_INFINITY)
    const first = Math.max(
      ...awaited(card).map(({ of }) => this.afterCard(of)),
      ...this.groups(card).map((group) => 1 + fewest(group)),
      turnRange(card).from,
    )
    const isOver = first > turnRange(card).to || this.contradicted(card) !== null
    const found = isOver ? Number.POSITIVE_INFINITY : first
    this.#earliest.set(card, found)
    return found
  }

  /** The first turn in which a card of this name can have been included before. */
  afterCard(name: string): number {
    return 1 + Math.min(...this.named(name).map((card) => this.earliest(card)))
  }

  /** A card that it waits for, and the condition that can never hold after that card; null if nothing is ruled out. */
  contradicted(card: LintedCard): { after: string; of: string } | null {
    const not = (card.timing?.when ?? []).filter(({ value }) => value === false)
    for (const { of: after } of awaited(card)) {
      const since = this.#since(after, new Set())
      const ruledOut = not.find(
        ({ kind, of }) =>
          (kind === 'card' && since.cards.has(of.trim())) ||
          (kind === 'milestone' && since.milestones.has(of)),
      )
      const counter = this.groups(card).find(({ of, holding }) => {
        const least = since.counters.get(of) ?? Number.NEGATIVE_INFINITY
        return holding.length > 0 && holding.every(({ value }) => Number(value) < least)
      })
      const found = ruledOut ?? counter
      if (found) return { after: after.trim(), of: found.of.trim() }
    }
    return null
  }

  #since(name: string, seen: Set<string>): Since {
    const since: Since = { cards: new Set([name.trim()]), milestones: new Set(), counters: new Map() }
    const [card, ...others] = this.named(name)
    // If several cards share the name, it is unknown which of them was included.
    if (!card || others.length > 0 || seen.has(name.trim())) return since
    seen.add(name.trim())
    for (const { kind, of, value } of card.timing?.when ?? [])
      if (kind === 'milestone' && value === true) since.milestones.add(of)
    const counters = this.reach.rules.stats.filter(({ kind }) => kind === 'counter').map(({ path }) => path)
    for (const { of, holding } of this.groups(card))
      if (counters.includes(of))
        since.counters.set(of, Math.min(...holding.map(({ value }) => Number(value))))
    for (const { of } of awaited(card)) merge(since, this.#since(of, seen))
    return since
  }
}

function merge(since: Since, other: Since): void {
  for (const name of other.cards) since.cards.add(name)
  for (const path of other.milestones) since.milestones.add(path)
  for (const [path, least] of other.counters)
    since.counters.set(path, Math.max(least, since.counters.get(path) ?? least))
}

/** The conditions that wait for another card to be included. */
export function awaited({ timing }: LintedCard): Condition[] {
  return (timing?.when ?? []).filter(({ kind, value }) => kind === 'card' && value === true)
}

/** The fewest turns in which the conditions of a group can come to hold. */
export function fewest({ holding }: ConditionGroup): number {
  return Math.min(...holding.map(({ turns }) => turns))
}

/** The turns that a card's own rules allow. */
export function turnRange({ timing }: LintedCard): { from: number; to: number } {
  const turns = (timing?.when ?? []).filter(({ kind }) => kind === 'turn')
  const bounds = (...kinds: Condition['is'][]) =>
    turns.flatMap(({ is, value }) => (kinds.includes(is) ? [Number(value)] : []))
  return {
    from: Math.max(1 + (timing?.how.begins ?? 0), ...bounds('at least', 'is')),
    to: Math.min(Number.POSITIVE_INFINITY, ...bounds('at most', 'is')),
  }
}
