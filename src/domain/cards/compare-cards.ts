import { foldName } from '../../lib/fold-text.ts'
import type { CardFields, StoryCard } from '../story-card.ts'
import { timingFrom } from '../timing/timing.ts'

/** The content by which cards are compared: all but the notes, which only their author reads. */
export function contentOfCard({ type, name, keys, entry, timing }: CardFields): string {
  return JSON.stringify([type, name, keys, entry, timingFrom(timing)])
}

/** A card that comes, and what it means to those that are there. */
export interface ComparedCard {
  card: CardFields
  /** An equal one is there. */
  is_duplicate: boolean
  /** A card of the same name with other content; null for none. */
  namesake: StoryCard | null
}

/** Compares cards with those of the owner that they come to. Each of these is the namesake of one card at most. */
export function compareCards(cards: readonly CardFields[], there: readonly StoryCard[]): ComparedCard[] {
  const coming = new Set(cards.map(contentOfCard))
  const known = new Set(there.map(contentOfCard))
  const changed = there.filter((card) => card.name !== '' && !coming.has(contentOfCard(card)))
  const byName = Map.groupBy(changed, ({ name }) => foldName(name))
  return cards.map((card) => {
    const is_duplicate = known.has(contentOfCard(card))
    const namesake = is_duplicate ? null : (byName.get(foldName(card.name))?.shift() ?? null)
    return { card, is_duplicate, namesake }
  })
}
