import { type Static, Type } from '@sinclair/typebox'
import { hashOf } from '../../lib/hash.ts'
import { isBlank } from '../../lib/text.ts'
import { type CardChoice, chooseCards } from '../cards/card-budget.ts'
import { cardMatcher, type Hit } from '../cards/card-triggers.ts'
import { EMPTY_CARD, type StoryCard } from '../story-card.ts'
import type { StoryMoment } from '../timing/due-cards.ts'
import { hitsIn } from '../timing/timed-hits.ts'
import type { PromptPart, ShownNotes, TurnNote } from './notes.ts'
import { LORE } from './phrases.ts'
import { estimateTokens, PER_MESSAGE } from './tokens.ts'

export const MAX_LORE_TOKENS = 1_500

export const TriggeredCard = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  keyword: Type.String(),
  tokens: Type.Number({ description: 'Its cost in the prompt; 0 if it is there already' }),
  included: Type.Boolean(),
  reason: Type.Unsafe<CardChoice['reason'] | 'not triggered'>(
    Type.String({
      description:
        '"shown", "already shown", "no room", "forbidden", "not due" or, where cards are tried, "not triggered"',
    }),
  ),
  blocked: Type.Optional(Type.String({ description: 'The key that excludes it' })),
  why: Type.Optional(Type.Array(Type.String(), { description: 'Why its timing brings it or keeps it away' })),
})
export type TriggeredCard = Static<typeof TriggeredCard>

/** Texts in the prompt, and the cards that the story before the line triggers, the last mentioned last. */
interface LoreContext extends Pick<ShownNotes, 'lore'> {
  /** The parts before the story. */
  front: readonly Pick<PromptPart, 'text'>[]
  mentioned: ReadonlySet<number>
}

interface TriggeredLore {
  /** Triggered by the story before the player's line, in the order of their mention. */
  ahead: TurnNote[]
  /** Triggered by the player's line, or by their timing. */
  notes: TurnNote[]
  shown: [id: number, hash: string][]
  included: number[]
  cards: TriggeredCard[]
}

/** Chooses among the triggered cards. A card whose text is already in the prompt is not added again. */
export function chooseLore(
  cards: readonly StoryCard[],
  hits: readonly Hit[],
  { lore, front, mentioned }: LoreContext,
  budget: number,
): TriggeredLore {
  const texts = new Map(hits.map(({ card }) => [card, loreText(cards[card])]))
  const textOf = (card: number): string => texts.get(card) ?? ''
  const known = spacedOnce(front.map(({ text }) => text).join('\n'))
  const choices = chooseCards(hits, {
    budget,
    tokensOf: (card) => estimateTokens(textOf(card)) + PER_MESSAGE,
    isShown: (card) => lore.has(hashOf(textOf(card))) || contains(known, cards[card]),
  })
  const added = choices.filter((choice) => choice.included).map(({ card }) => card)
  const noteOf = (card: number): TurnNote => ({ label: 'world_lore', text: textOf(card) })
  const chosen = new Set(added)
  const ahead = [...mentioned].filter((card) => chosen.has(card))
  return {
    ahead: ahead.map(noteOf),
    notes: added.filter((card) => !mentioned.has(card)).map(noteOf),
    shown: added.map((card) => [cards[card]?.id ?? 0, hashOf(textOf(card))]),
    included: choices.filter(isIncluded).map(({ card }) => card),
    cards: choices.map(({ card, key, tokens, reason, included, blocked, why }) => ({
      id: cards[card]?.id ?? 0,
      name: cards[card]?.name ?? '',
      keyword: key,
      tokens,
      included: isIncluded({ included, reason }),
      reason,
      ...(blocked === undefined ? {} : { blocked }),
      ...(why === undefined || why.length === 0 ? {} : { why }),
    })),
  }
}

function loreText({ name, entry }: Pick<StoryCard, 'name' | 'entry'> = EMPTY_CARD): string {
  const hasName = entry.toLowerCase().includes(name.trim().toLowerCase())
  return `${LORE}${hasName ? '' : `${name.trim()}: `}${entry.trim()}`
}

function contains(known: string, { name, entry }: Pick<StoryCard, 'name' | 'entry'> = EMPTY_CARD): boolean {
  return known.includes(spacedOnce(entry)) && known.includes(spacedOnce(name))
}

function spacedOnce(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

function isIncluded({ included, reason }: Pick<CardChoice, 'included' | 'reason'>): boolean {
  return included || reason === 'already shown'
}

/** The cards that a text would bring if nothing were in the window yet, and the timed ones that it would not, with the reasons. */
export function triedCards(
  cards: readonly StoryCard[],
  text: string,
  moment: StoryMoment | null,
): TriggeredCard[] {
  const { hits, withheld } = hitsIn(text, { cards, matcher: cardMatcher(cards), moment })
  const nothingShown = { lore: new Set<string>(), front: [], mentioned: new Set<number>() }
  const chosen = chooseLore(cards, [...hits, ...withheld], nothingShown, MAX_LORE_TOKENS).cards
  const listed = new Set(chosen.map(({ id }) => id))
  const silent = cards.filter(({ id, entry, timing }) => timing && !isBlank(entry) && !listed.has(id))
  return [...chosen, ...silent.map(untriggered)]
}

function untriggered({ id, name }: StoryCard): TriggeredCard {
  const why = ['none of its triggers is in the text']
  return { id, name, keyword: '', tokens: 0, included: false, reason: 'not triggered', why }
}
