import { composed, foldedText } from './folded-text.ts'
import { parseKeys } from './keys.ts'
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
}

export interface CardMatcher {
  /** The cards that a text triggers, in their own order, including those that a key blocks. */
  match: (text: string) => Hit[]
}

/** A key, and the slot in which the search records its last occurrence. */
interface IndexedKey {
  written: string
  forbids: boolean
  slot: number
}

/** All words and patterns to search for. Slots from 0 up are words, from -1 down patterns. */
interface SearchTerms {
  words: AutomatonWord[]
  patterns: Pattern[]
  slotOfPattern: Map<string, number>
}

/** Searches for the keys of many cards at once. Cards with a blank entry or without a trigger never match. */
export function cardMatcher(cards: readonly { keys: string; entry: string }[]): CardMatcher {
  const terms: SearchTerms = { words: [], patterns: [], slotOfPattern: new Map() }
  const keysOfCards = cards.map(({ keys, entry }) => (entry.trim() === '' ? [] : indexKeys(terms, keys)))
  const findWords = wordAutomaton(terms.words)
  return {
    match: (original) => {
      const { text, originOf } = composed(original)
      const words = findWords(foldedText(text))
      const patterns = terms.patterns.map((pattern) => pattern.lastIn(text).at)
      const lastOf = (slot: number): number => (slot < 0 ? patterns[-1 - slot] : words[slot]) ?? -1
      return keysOfCards.flatMap((keys, card) => {
        const hit = hitOf(keys, lastOf)
        return hit ? [{ card, ...hit, at: originOf(hit.at) }] : []
      })
    },
  }
}

function indexKeys(terms: SearchTerms, keys: string): IndexedKey[] {
  const indexed: IndexedKey[] = []
  for (const { kind, text, forbids, written } of parseKeys(keys)) {
    if (kind === 'invalid') continue
    const slot = kind === 'pattern' ? slotOfPattern(terms, text) : terms.words.push({ kind, text }) - 1
    if (slot !== undefined) indexed.push({ written, forbids, slot })
  }
  return indexed
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
    if (key.forbids || lastOf(key.slot) <= at) continue
    last = key
    at = lastOf(key.slot)
  }
  if (!last) return undefined
  const forbidding = keys.find((key) => key.forbids && lastOf(key.slot) !== -1)
  return { key: last.written, at, ...(forbidding ? { blocked: forbidding.written } : {}) }
}
