import type { Reader } from '../../db/database.ts'
import { storyCards } from '../../db/tables/story-cards.ts'
import { type CardMatcher, cardMatcher } from '../../domain/cards/card-triggers.ts'
import { filledCards } from '../../domain/prompt/filled-texts.ts'
import type { StoryCard } from '../../domain/story-card.ts'
import type { Answers } from '../../domain/text/placeholder.ts'

interface PromptCards {
  cards: StoryCard[]
  matcher: CardMatcher
}

/** Prepared cards by their list, with the answers that they were made with. */
const made = new WeakMap<readonly StoryCard[], PromptCards & { answers: string }>()

/** The cards of a story as the model is sent them, and what finds their keys. Kept as long as cards and answers are. */
export function promptCards(reader: Reader, adventureId: number, given: Answers): PromptCards {
  const stored = storyCards.get(reader, adventureId)
  const answers = JSON.stringify(given)
  const known = made.get(stored)
  if (known?.answers === answers) return known
  const cards = filledCards(stored, given)
  const fresh = { cards, matcher: cardMatcher(cards), answers }
  made.set(stored, fresh)
  return fresh
}

/** Entries that are read at once. */
const PIECE = 100

/** The same, made in pieces, with what the texts of cards say that trigger others: the next prompt looks for it. */
export function* loadPromptCards(reader: Reader, adventureId: number, given: Answers): Generator<void, void> {
  yield* storyCards.load(reader, adventureId)
  const { cards, matcher } = promptCards(reader, adventureId, given)
  let read = 0
  for (const [card, { timing }] of cards.entries())
    if (timing?.how.triggers_others && matcher.readEntry(card) && ++read % PIECE === 0) yield
}
