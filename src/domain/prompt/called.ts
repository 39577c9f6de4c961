import { type Choice, chooseCards } from '../cards/choice.ts'
import { type CardMatcher, cardMatcher, type Hit } from '../cards/card-triggers.ts'
import { markOf } from '../../lib/hash.ts'
import type { StoryCard } from '../story-card.ts'
import type { Note, Shown } from './notes.ts'
import { LORE } from './phrases.ts'
import { estimateTokens, PER_MESSAGE } from './tokens.ts'

/** Tokens that story cards may take at one turn, at most. */
export const MOST_LORE = 1_500

/** A card that the story has called up, by which of its keys, and what became of it. */
export interface CalledCard {
  id: number
  name: string
  keyword: string
  /** What it takes of the prompt; 0 when it takes nothing new. */
  tokens: number
  included: boolean
  reason: Choice['reason']
  /** The key that forbids it. */
  blocked?: string
}

/** The lore of a turn: what is told, with its marks, and what became of every card that was called up. */
export interface Lore {
  notes: Note[]
  shown: [id: number, mark: string][]
  cards: CalledCard[]
}

/** Chooses among the cards that were called up; one whose text stands in the window is not told again. */
export function chooseLore(
  cards: readonly StoryCard[],
  called: readonly Hit[],
  shown: Pick<Shown, 'lore'>,
  budget: number,
): Lore {
  const texts = new Map(called.map(({ card }) => [card, LORE + (cards[card]?.entry.trim() ?? '')]))
  const textOf = (card: number): string => texts.get(card) ?? ''
  const choices = chooseCards(called, (card) => estimateTokens(textOf(card)) + PER_MESSAGE, {
    budget,
    isShown: (card) => shown.lore.has(markOf(textOf(card))),
  })
  const told = choices.filter(({ included }) => included).map(({ card }) => card)
  return {
    notes: told.map((card) => ({ label: 'world_lore', text: textOf(card) })),
    shown: told.map((card) => [cards[card]?.id ?? 0, markOf(textOf(card))]),
    cards: choices.map(({ card, key, tokens, reason, included, blocked }) => ({
      id: cards[card]?.id ?? 0,
      name: cards[card]?.name ?? '',
      keyword: key,
      tokens,
      included: included || reason === 'already shown',
      reason,
      ...(blocked === undefined ? {} : { blocked }),
    })),
  }
}

/** What a text calls up, for an author who tries: as if nothing stood in the window yet. */
export function calledBy(
  cards: readonly StoryCard[],
  text: string,
  matcher: CardMatcher = cardMatcher(cards),
): CalledCard[] {
  return chooseLore(cards, matcher.match(text), { lore: new Set() }, MOST_LORE).cards
}
