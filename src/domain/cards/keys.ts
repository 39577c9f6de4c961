import { patternOf } from './pattern.ts'

/** What calls a card up, or keeps it from being called up, as its author wrote it among the card's keys. */
export interface Key {
  /** Matches at the start of a word, as a whole word, anywhere, as a pattern, or (invalid) nowhere. */
  kind: 'word' | 'whole' | 'inside' | 'pattern' | 'invalid'
  /** What is looked for: the key without its signs. A pattern keeps its slashes. */
  text: string
  forbids: boolean
  written: string
}

/** The keys of a card one by one. */
export function parseKeys(keys: string): Key[] {
  return splitKeys(keys).map(parseKey)
}

/** The keys between the commas. A comma inside a /pattern/ separates nothing. */
export function splitKeys(keys: string): string[] {
  if (!keys.includes('/')) return trimmed(keys.split(','))
  const parts: string[] = []
  for (let start = 0; start <= keys.length; ) {
    const comma = keys.indexOf(',', patternEnd(keys, start))
    const end = comma === -1 ? keys.length : comma
    parts.push(keys.slice(start, end))
    start = end + 1
  }
  return trimmed(parts)
}

// A slash inside a class or after a backslash does not close a pattern; one that is not closed is none.
// What is longer is refused as a pattern in any case; the bounds keep a long list of keys from being slow.
const CLOSED_PATTERN = /\s*(?:-\s*)?\/(?:[^\\/[]|\\[\s\S]|\[(?:[^\\\]]|\\[\s\S]){0,400}\]){0,400}\//y

function patternEnd(keys: string, start: number): number {
  CLOSED_PATTERN.lastIndex = start
  return CLOSED_PATTERN.test(keys) ? CLOSED_PATTERN.lastIndex : start
}

function trimmed(parts: string[]): string[] {
  return parts.map((part) => part.trim()).filter(Boolean)
}

function parseKey(written: string): Key {
  const forbids = written.startsWith('-')
  const positive = forbids ? written.slice(1).trim() : written
  return { ...kindAndText(positive), forbids, written }
}

function kindAndText(key: string): Pick<Key, 'kind' | 'text'> {
  if (key.startsWith('/')) return { kind: patternOf(key) ? 'pattern' : 'invalid', text: key }
  if (key.startsWith('=')) return unlessBlank('whole', key.slice(1).trim())
  if (key.startsWith('*')) return unlessBlank('inside', key.slice(1).trim())
  // Scripts without spaces have no starts of words to look for.
  return unlessBlank(UNSPACED.test(key) ? 'inside' : 'word', key)
}

const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

function unlessBlank(kind: Key['kind'], text: string): Pick<Key, 'kind' | 'text'> {
  return { kind: text === '' ? 'invalid' : kind, text }
}
