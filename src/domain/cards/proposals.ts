import { type Static, Type } from '@sinclair/typebox'
import { foldName, foldQuote } from '../../lib/fold-text.ts'
import { jsonIn } from '../../lib/json-in-text.ts'
import { isObject } from '../../lib/objects.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import { nullable } from '../../lib/typebox.ts'
import { LIMITS } from '../limits.ts'
import { ASIDE } from '../memory.ts'
import type { StoryCard } from '../story-card.ts'
import { newSentences } from '../text/sentence-spans.ts'
import { splitKeys } from './keys.ts'

export const CardProposal = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  keys: Type.String(),
  entry: Type.String(),
  quote: Type.String({ description: 'What the passage says, in its own words' }),
  passage: Type.Integer({ description: 'Index of the passage' }),
  action_id: Type.Integer({ description: 'Id of the passage' }),
  card_id: nullable(Type.Integer({ description: 'The card that it adds to; null for a new one' })),
})
export type CardProposal = Static<typeof CardProposal>

const ANSWERS = ['accepted', 'declined'] as const

export interface StoredProposal extends Pick<CardProposal, 'name' | 'keys' | 'entry' | 'quote' | 'passage'> {
  /** Null while it waits. */
  answer: (typeof ANSWERS)[number] | null
}

export function isProposalAnswer(value: unknown): value is (typeof ANSWERS)[number] {
  return ANSWERS.some((answer) => answer === value)
}

/** The most proposals in one answer, and the most that may wait before more are asked for. */
const MAX_PROPOSALS = 2
export const MAX_WAITING = 20
/** The fewest letters and digits of a quote: a shorter one would match any passage. */
const MIN_QUOTE = 8

export function proposalTask(
  passages: readonly { index: number; text: string }[],
  names: readonly string[],
): string {
  const quoted = passages.map(({ index, text }) => `Passage ${index}:\n${text}`).join('\n\n')
  const cards = names.length === 0 ? 'There are none yet.' : names.join('; ')
  return `${ASIDE} look for lore that is worth keeping in these passages:\n\n${quoted}\n\n(end of the passages)\n\nStory cards that exist: ${cards}\n\nName at most ${MAX_PROPOSALS} persons, places or things that will matter later and have no card yet, or that have one and of which something lasting is new here. Give for each the number of its passage, a quote copied word for word from that passage, its name, other words for it separated by commas, and one or two sentences that say what is lasting. Often there is nothing: then the list is empty. Answer with JSON alone: {"cards": [{"passage": 1, "quote": "", "name": "", "keys": "", "entry": ""}]}]`
}

const text = { type: 'string' }

export const PROPOSAL_SCHEMA = {
  type: 'object',
  properties: {
    cards: {
      type: 'array',
      maxItems: MAX_PROPOSALS,
      items: {
        type: 'object',
        properties: { passage: { type: 'integer' }, quote: text, name: text, keys: text, entry: text },
        required: ['passage', 'quote', 'name', 'keys', 'entry'],
        additionalProperties: false,
      },
    },
  },
  required: ['cards'],
  additionalProperties: false,
}

type Proposed = Omit<StoredProposal, 'answer'>

/** The proposals in an answer, in which the JSON may be anywhere; none if nothing can be read. */
export function parseProposals(answer: string): Proposed[] {
  const parsed = jsonIn(answer)
  const cards = isObject(parsed) && Array.isArray(parsed.cards) ? parsed.cards : []
  return cards.flatMap((card) => (isObject(card) ? (proposalFrom(card) ?? []) : [])).slice(0, MAX_PROPOSALS)
}

function proposalFrom({ passage, ...texts }: Record<string, unknown>): Proposed | null {
  const [name, entry, quote] = [texts.name, texts.entry, texts.quote].map(lineOf)
  if (!name || !entry || !quote || !Number.isSafeInteger(passage)) return null
  const [first = name, ...rest] = splitKeys(lineOf(texts.keys) ?? '')
  return {
    passage: Number(passage),
    name: cutTo(name, LIMITS.name),
    keys: cutTo([first, ...rest].join(', '), LIMITS.prose),
    entry: cutTo(entry, LIMITS.prose),
    quote: cutTo(quote, LIMITS.prose),
  }
}

function lineOf(value: unknown): string | null {
  return typeof value === 'string' && !isBlank(value) ? value.toWellFormed().trim() : null
}

export function isQuoted(quote: string, passage: string): boolean {
  const folded = foldQuote(quote)
  return folded.length >= MIN_QUOTE && foldQuote(passage).includes(folded)
}

/** The passage that a proposal quotes: the one that it names if that has the quote. Small models copy the number of the example. */
export function quotedPassage<Passage extends { index: number; text: string }>(
  { passage, quote }: Pick<Proposed, 'passage' | 'quote'>,
  passages: readonly Passage[],
): Passage | undefined {
  const quoted = passages.filter(({ text }) => isQuoted(quote, text))
  return quoted.find(({ index }) => index === passage) ?? quoted[0]
}

/** True for an entry of nothing but sentences of the passages about what the player does, which is nothing lasting. */
export function isOnlyTold(entry: string, passages: readonly { text: string }[]): boolean {
  const told = passages.map(({ text }) => text).join('\n')
  return /\byou\b/i.test(entry) && newSentences(entry, [told]).length === 0
}

/** Undefined for a new card. */
export function cardNamed<Card extends Pick<StoryCard, 'name'>>(
  name: string,
  cards: readonly Card[],
): Card | undefined {
  return cards.find((card) => foldName(card.name) === foldName(name))
}

/** True unless it was proposed before, whatever the player answered, or is on a card already. */
export function isNewProposal(
  { name, entry, quote }: Proposed,
  known: readonly Pick<StoredProposal, 'name' | 'quote'>[],
  cards: readonly Pick<StoryCard, 'name' | 'entry'>[],
): boolean {
  const card = cardNamed(name, cards)
  if (card && foldQuote(card.entry).includes(foldQuote(entry))) return false
  return !known.some(
    (one) =>
      (!card && foldName(one.name) === foldName(name)) ||
      isQuoted(one.quote, quote) ||
      isQuoted(quote, one.quote),
  )
}

/** A card with what is added to it; keys that it has are not repeated. */
export function withAddition(
  card: Pick<StoryCard, 'keys' | 'entry'>,
  { keys, entry }: Pick<StoredProposal, 'keys' | 'entry'>,
): Pick<StoryCard, 'keys' | 'entry'> {
  const own = splitKeys(card.keys)
  const more = splitKeys(keys).filter((key) => !own.some((one) => foldName(one) === foldName(key)))
  return { keys: [...own, ...more].join(', '), entry: `${card.entry.trimEnd()}\n${entry}`.trim() }
}
