import { compilePattern } from './pattern.ts'

export interface CardKey {
  /** Matches every text, at the start of a word, as a whole word, anywhere, as a pattern, or (invalid) nowhere. */
  kind: 'always' | 'word' | 'whole' | 'inside' | 'pattern' | 'invalid'
  /** The text to search for: the key without its prefixes. A pattern keeps its slashes. */
  text: string
  /** Triggers the card, blocks it, or is one of those of which a triggered card also needs one. */
  role: 'triggers' | 'forbids' | 'required'
  written: string
}

/** The key of a card that every text triggers. */
export const ALWAYS = '*'
/** The key that switches a card off. */
export const NEVER = `-${ALWAYS}`

/** Whether a card is switched off by its keys. */
export function isDisabled(keys: string): boolean {
  return splitKeys(keys).includes(NEVER)
}

export function parseKeys(keys: string): CardKey[] {
  return splitKeys(keys).map(parseKey)
}

/** Splits keys at their commas, except for commas inside a /pattern/. */
export function splitKeys(keys: string): string[] {
  if (!keys.includes('/')) return withoutBlanks(keys.split(','))
  const parts: string[] = []
  for (let start = 0; start <= keys.length; ) {
    const comma = keys.indexOf(',', patternEnd(keys, start))
    const end = comma === -1 ? keys.length : comma
    parts.push(keys.slice(start, end))
    start = end + 1
  }
  return withoutBlanks(parts)
}

// A slash inside a class or after a backslash does not close a pattern; an unclosed one is not a pattern.
// Longer patterns are rejected anyway; the bounds keep long lists of keys fast.
const CLOSED_PATTERN = /\s*(?:[-+]\s*)?\/(?:[^\\/[]|\\[\s\S]|\[(?:[^\\\]]|\\[\s\S]){0,400}\]){0,400}\//y

function patternEnd(keys: string, start: number): number {
  CLOSED_PATTERN.lastIndex = start
  return CLOSED_PATTERN.test(keys) ? CLOSED_PATTERN.lastIndex : start
}

function withoutBlanks(parts: string[]): string[] {
  return parts.map((part) => part.trim()).filter(Boolean)
}

const ROLES = new Map<string, CardKey['role']>([
  ['-', 'forbids'],
  ['+', 'required'],
])

function parseKey(written: string): CardKey {
  const role = ROLES.get(written.charAt(0))
  const key = role ? written.slice(1).trim() : written
  return { ...kindAndText(key), role: role ?? 'triggers', written }
}

function kindAndText(key: string): Pick<CardKey, 'kind' | 'text'> {
  if (key === ALWAYS) return { kind: 'always', text: '' }
  if (key.startsWith('/')) return { kind: compilePattern(key) ? 'pattern' : 'invalid', text: key }
  if (key.startsWith('=')) return unlessBlank('whole', key.slice(1).trim())
  if (key.startsWith('*')) return unlessBlank('inside', key.slice(1).trim())
  // In scripts without spaces, the start of a word cannot be found.
  return unlessBlank(UNSPACED.test(key) ? 'inside' : 'word', key)
}

const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

function unlessBlank(kind: CardKey['kind'], text: string): Pick<CardKey, 'kind' | 'text'> {
  return { kind: text === '' ? 'invalid' : kind, text }
}
