import type { CardFields } from '../story-card.ts'
import { composed, foldedText } from './folded-text.ts'
import { ALWAYS, type CardKey, parseKeys } from './keys.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import type { AutomatonWord } from './word-automaton.ts'
import { wordAutomaton } from './word-automaton.ts'

export interface Hit {
  card: number
  /** The key with the last occurrence, as its author wrote it. */
  key: string
  at: number
  /** The key that blocks the card, as its author wrote it. */
  blocked?: string
  /** Reasons of its timing. */
  why?: string[]
  /** Excluded by its timing. */
  isWithheld?: boolean
  /** Higher ones come first. */
  priority?: number
}

export interface CardMatcher {
  /** The cards that a text triggers, in their own order, including those that a key blocks. */
  match: (text: string) => Hit[]
  /**
   * Searches a text. The returned function gives the hits among the wanted cards, as if the entries of some cards followed
   * the text; each entry is searched by itself.
   */
  read: (text: string) => (behind: readonly number[], isWanted: (card: number) => boolean) => Hit[]
  /** Searches the entry of a card in advance. Returns whether that was still to be done. */
  readEntry: (card: number) => boolean
}

interface IndexedKey {
  written: string
  role: CardKey['role']
  place: number
}

type IndexedKeys = Partial<Record<CardKey['role'], IndexedKey[]>>

/** The place of the key that every text has, at its end. */
const EVERY_TEXT = -1

interface SearchTerms {
  words: AutomatonWord[]
  patterns: Map<string, Pattern>
}

type KeyedCard = Pick<CardFields, 'keys' | 'entry' | 'timing'>

/** The hits in the entry of a card: place and position in turn. The last hit of a place is its last occurrence. */
interface ReadEntry {
  length: number
  found: number[]
}

/**
 * Searches for the keys of many cards at once. Cards with a blank entry never match; cards without triggers match only if
 * they have conditions. The hits in an entry are cached, because entries do not change.
 */
export function cardMatcher(cards: readonly KeyedCard[]): CardMatcher {
  const { keysOfCards, size, search } = indexCards(cards)
  const entries: ReadEntry[] = []
  const readEntry = (card: number): ReadEntry => {
    const { text } = composed(cards[card]?.entry ?? '')
    const found: number[] = []
    search(text, (place, at) => found.push(place, at))
    const entry = { length: text.length, found }
    entries[card] = entry
    return entry
  }
  const read: CardMatcher['read'] = (original) => {
    const { text, originOf } = composed(original)
    const told = new Int32Array(size).fill(-1)
    search(text, (place, at) => {
      told[place] = at
    })
    return (behind, isWanted) => {
      const last = behind.length === 0 ? told : told.slice()
      let end = text.length
      for (const card of behind) {
        const { found, length } = entries[card] ?? readEntry(card)
        for (let i = 0; i < found.length; i += 2) last[found[i] ?? 0] = end + 1 + (found[i + 1] ?? 0)
        end += 1 + length
      }
      const lastOf = (place: number) => (place === EVERY_TEXT ? end : (last[place] ?? -1))
      const originAt = (at: number) => (at > text.length ? original.length + at - text.length : originOf(at))
      return keysOfCards.flatMap((keys, card) => {
        const hit = isWanted(card) ? hitOf(keys, lastOf) : undefined
        return hit ? [{ card, ...hit, at: originAt(hit.at) }] : []
      })
    }
  }
  const isRead = (card: number) => entries[card] !== undefined
  return {
    match: (text) => read(text)([], () => true),
    read,
    readEntry: (card) => !isRead(card) && readEntry(card) !== undefined,
  }
}

type Search = (text: string, onTerm: (place: number, at: number) => void) => void

/** The search calls back for each occurrence; the last call for a key is for its last occurrence. */
function indexCards(cards: readonly KeyedCard[]): {
  keysOfCards: IndexedKeys[]
  size: number
  search: Search
} {
  const terms: SearchTerms = { words: [], patterns: new Map() }
  const keysOfCards = cards.map((card) => (card.entry.trim() === '' ? [] : foundKeys(terms, card)))
  const words = wordAutomaton(terms.words)
  const patterns = [...terms.patterns.values()]
  const places = new Map([...terms.patterns.keys()].map((written, i) => [written, words.size + i]))
  let word = 0
  const placeOf = ({ kind, text }: CardKey): number => {
    if (kind === 'always') return EVERY_TEXT
    return (kind === 'pattern' ? places.get(text) : words.places[word++]) ?? EVERY_TEXT
  }
  return {
    keysOfCards: keysOfCards.map((keys) => {
      const indexed = keys.map((key) => ({ written: key.written, role: key.role, place: placeOf(key) }))
      return Object.groupBy(indexed, ({ role }) => role)
    }),
    size: words.size + patterns.length,
    search: (text, onTerm) => {
      words.search(foldedText(text), onTerm)
      for (const [i, pattern] of patterns.entries()) {
        const at = pattern.lastIn(text)
        if (at !== -1) onTerm(words.size + i, at)
      }
    },
  }
}

function foundKeys({ words, patterns }: SearchTerms, { keys, timing }: KeyedCard): CardKey[] {
  const parsed = parseKeys(keys)
  // With conditions and without triggers, the conditions alone decide.
  const isTriggered = parsed.some(({ role }) => role === 'triggers')
  const always = !isTriggered && timing && timing.when.length > 0 ? parseKeys(ALWAYS) : []
  return [...always, ...parsed].filter(({ kind, text }) => {
    if (kind === 'always') return true
    if (kind === 'invalid') return false
    if (kind !== 'pattern') return words.push({ kind, text }) > 0
    const pattern = patterns.get(text) ?? compilePattern(text)
    if (pattern) patterns.set(text, pattern)
    return pattern !== undefined
  })
}

function hitOf(keys: IndexedKeys, lastOf: (place: number) => number): Omit<Hit, 'card'> | undefined {
  let last: IndexedKey | undefined
  let at = -1
  for (const key of keys.triggers ?? []) {
    const found = lastOf(key.place)
    if (found <= at) continue
    last = key
    at = found
  }
  if (!last) return undefined
  const occurs = ({ place }: IndexedKey) => lastOf(place) !== -1
  const { required, required_all, forbids, forbids_all } = keys
  if (required && !required.some(occurs)) return undefined
  if (required_all && !required_all.every(occurs)) return undefined
  const forbidding = forbids?.find(occurs) ?? (forbids_all?.every(occurs) ? forbids_all[0] : undefined)
  return { key: last.written, at, ...(forbidding ? { blocked: forbidding.written } : {}) }
}
