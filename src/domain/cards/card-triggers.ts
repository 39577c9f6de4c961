import type { CardFields } from '../story-card.ts'
import { composed, foldedText } from './folded-text.ts'
import { ALWAYS, type CardKey, parseKeys } from './keys.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import type { AutomatonWord } from './word-automaton.ts'
import { wordAutomaton } from './word-automaton.ts'

/** A card whose key occurs in a text. */
export interface Hit {
  /** Its index in the list of cards. */
  card: number
  /** The key with the last occurrence, as its author wrote it. */
  key: string
  /** The position of that occurrence. */
  at: number
  /** The key that blocks the card, as its author wrote it. */
  blocked?: string
  /** Why a timed card comes, or stays away. */
  why?: string[]
  /** Its timing keeps it away. */
  isWithheld?: boolean
  /** Higher ones come first. */
  priority?: number
}

export interface CardMatcher {
  /** The cards that a text triggers, in their own order, including those that a key blocks. */
  match: (text: string) => Hit[]
}

/** A key, and the slot in which the search records its last occurrence. */
interface IndexedKey {
  written: string
  role: CardKey['role']
  slot: number
}

/** The slot of the key that every text has, at its end. */
const EVERY_TEXT = -Infinity

/** All words and patterns to search for. Slots from 0 up are words, from -1 down patterns. */
interface SearchTerms {
  words: AutomatonWord[]
  patterns: Pattern[]
  slotOfPattern: Map<string, number>
}

/** A card whose keys are searched for. */
type KeyedCard = Pick<CardFields, 'keys' | 'entry' | 'timing'>

/**
 * Searches for the keys of many cards at once. Cards with a blank entry never match, nor do those without a trigger, unless
 * they have conditions.
 */
export function cardMatcher(cards: readonly KeyedCard[]): CardMatcher {
  const terms: SearchTerms = { words: [], patterns: [], slotOfPattern: new Map() }
  const keysOfCards = cards.map((card) => (card.entry.trim() === '' ? [] : indexKeys(terms, card)))
  const findWords = wordAutomaton(terms.words)
  return {
    match: (original) => {
      const { text, originOf } = composed(original)
      const words = findWords(foldedText(text))
      const patterns = terms.patterns.map((pattern) => pattern.lastIn(text).at)
      const lastOf = (slot: number): number => {
        if (slot === EVERY_TEXT) return text.length
        return (slot < 0 ? patterns[-1 - slot] : words[slot]) ?? -1
      }
      return keysOfCards.flatMap((keys, card) => {
        const hit = hitOf(keys, lastOf)
        return hit ? [{ card, ...hit, at: originOf(hit.at) }] : []
      })
    },
  }
}

function indexKeys(terms: SearchTerms, { keys, timing }: KeyedCard): IndexedKey[] {
  const indexed: IndexedKey[] = []
  const parsed = parseKeys(keys)
  // With conditions and without triggers, the conditions alone decide.
  const isTriggered = parsed.some(({ role }) => role === 'triggers')
  const always = !isTriggered && timing && timing.when.length > 0 ? parseKeys(ALWAYS) : []
  for (const key of [...always, ...parsed]) {
    const slot = slotOf(terms, key)
    if (slot !== undefined) indexed.push({ written: key.written, role: key.role, slot })
  }
  return indexed
}

function slotOf(terms: SearchTerms, { kind, text }: CardKey): number | undefined {
  if (kind === 'invalid') return undefined
  if (kind === 'always') return EVERY_TEXT
  return kind === 'pattern' ? slotOfPattern(terms, text) : terms.words.push({ kind, text }) - 1
}

function slotOfPattern({ patterns, slotOfPattern }: SearchTerms, text: string): number | undefined {
  const known = slotOfPattern.get(text)
  if (known !== undefined) return known
  const pattern = compilePattern(text)
  if (!pattern) return undefined
  const slot = -patterns.push(pattern)
  slotOfPattern.set(text, slot)
  return slot
}

function hitOf(keys: IndexedKey[], lastOf: (slot: number) => number): Omit<Hit, 'card'> | undefined {
  let last: IndexedKey | undefined
  let at = -1
  for (const key of keys) {
    if (key.role !== 'triggers' || lastOf(key.slot) <= at) continue
    last = key
    at = lastOf(key.slot)
  }
  if (!last) return undefined
  const required = keys.filter(({ role }) => role === 'required')
  if (required.length > 0 && required.every(({ slot }) => lastOf(slot) === -1)) return undefined
  const forbidding = keys.find((key) => key.role === 'forbids' && lastOf(key.slot) !== -1)
  return { key: last.written, at, ...(forbidding ? { blocked: forbidding.written } : {}) }
}
