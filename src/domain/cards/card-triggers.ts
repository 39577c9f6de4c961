import { composed, foldedText } from './folded-text.ts'
import { parseKeys } from './keys.ts'
import { type Pattern, patternOf } from './pattern.ts'
import { type Wanted, wordAutomaton } from './word-automaton.ts'

/** A card with a key that is told. */
export interface Hit {
  /** Its index in the list of cards. */
  card: number
  /** The key that is told last, as its author wrote it. */
  key: string
  /** Where in the text that key is told last. */
  at: number
  /** The key that keeps the card from being called up, as its author wrote it. */
  blocked?: string
}

export interface CardMatcher {
  /** The cards that a text calls up, or would without the keys that forbid it, in their own order. */
  match: (text: string) => Hit[]
}

/** A key of a card, and where its last place is kept while a text is looked through. */
interface Watched {
  written: string
  forbids: boolean
  slot: number
}

/** All that is looked for. Slots count the words first, then the patterns down from -1. */
interface Sought {
  words: Wanted[]
  patterns: Pattern[]
  slotOfPattern: Map<string, number>
}

/** Looks for the keys of many cards together. Cards with a blank entry, or no key that calls, say nothing. */
export function cardMatcher(cards: readonly { keys: string; entry: string }[]): CardMatcher {
  const sought: Sought = { words: [], patterns: [], slotOfPattern: new Map() }
  const watched = cards.map(({ keys, entry }) => (entry.trim() === '' ? [] : watch(sought, keys)))
  const findWords = wordAutomaton(sought.words)
  return {
    match: (given) => {
      const { text, originOf } = composed(given)
      const words = findWords(foldedText(text))
      const patterns = sought.patterns.map((pattern) => pattern.lastIn(text).at)
      const lastOf = (slot: number): number => (slot < 0 ? patterns[-1 - slot] : words[slot]) ?? -1
      return watched.flatMap((keys, card) => {
        const hit = hitOf(keys, lastOf)
        return hit ? [{ card, ...hit, at: originOf(hit.at) }] : []
      })
    },
  }
}

function watch(sought: Sought, keys: string): Watched[] {
  const watched: Watched[] = []
  for (const { kind, text, forbids, written } of parseKeys(keys)) {
    if (kind === 'invalid') continue
    const slot = kind === 'pattern' ? slotOfPattern(sought, text) : sought.words.push({ kind, text }) - 1
    if (slot !== undefined) watched.push({ written, forbids, slot })
  }
  return watched
}

function slotOfPattern({ patterns, slotOfPattern }: Sought, text: string): number | undefined {
  const known = slotOfPattern.get(text)
  if (known !== undefined) return known
  const pattern = patternOf(text)
  if (!pattern) return undefined
  const slot = -patterns.push(pattern)
  slotOfPattern.set(text, slot)
  return slot
}

function hitOf(keys: Watched[], lastOf: (slot: number) => number): Omit<Hit, 'card'> | undefined {
  let last: Watched | undefined
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
