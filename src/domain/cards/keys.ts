import { compilePattern } from './pattern.ts'

export interface CardKey {
  /** Matches every text, at the start of a word, as a whole word, anywhere, as a pattern, or (invalid) nowhere. */
  kind: 'always' | 'word' | 'whole' | 'inside' | 'pattern' | 'invalid'
  /** The text to search for: the key without its prefixes. A pattern keeps its slashes. */
  text: string
  /** Triggers the card, or is one of those of which a triggered card also needs one, all, none, or not all. */
  role: 'triggers' | 'required' | 'required_all' | 'forbids' | 'forbids_all'
  written: string
}

export const ALWAYS = '*'
export const NEVER = `-${ALWAYS}`

export function isDisabled(keys: string): boolean {
  return splitKeys(keys).includes(NEVER)
}

export function parseKeys(keys: string): CardKey[] {
  return splitKeys(keys).map(parseKey)
}

/** The commas of lists in all scripts. After a backslash they are a part of a key. */
const SEPARATOR = /(?<!\\)[,，、،؛]/g
const ESCAPED = /\\([,，、،؛])/g

/** Splits keys at their commas, except for commas inside a /pattern/. */
export function splitKeys(keys: string): string[] {
  const parts: string[] = []
  for (let start = 0; start <= keys.length; ) {
    SEPARATOR.lastIndex = patternEnd(keys, start)
    const end = SEPARATOR.exec(keys)?.index ?? keys.length
    parts.push(keys.slice(start, end))
    start = end + 1
  }
  return withoutBlanks(parts)
}

/** The prefixes of keys that are looked for at the start of a word, as whole words, or anywhere. */
export const PREFIXES = { word: '', whole: '=', inside: ALWAYS } as const

/** The key that finds a text as it is, whatever signs and commas it has. */
export function literalKey(text: string, kind: keyof typeof PREFIXES = 'word'): string {
  // A backslash at the end would escape the comma that follows in a list.
  const escaped = text.replace(/[,，、،؛]/g, '\\$&').replace(/\\$/, '$& ')
  const isSigned = kind === 'word' && /^[-+=*/]/.test(text)
  return PREFIXES[isSigned ? 'inside' : kind] + escaped
}

// A slash inside a class or after a backslash does not close a pattern; an unclosed one is not a pattern.
// Longer patterns are rejected anyway; the bounds keep long lists of keys fast.
const CLOSED_PATTERN = /\s*(?:[-+]{1,2}\s*)?\/(?:[^\\/[]|\\[\s\S]|\[(?:[^\\\]]|\\[\s\S]){0,400}\]){0,400}\//y

function patternEnd(keys: string, start: number): number {
  CLOSED_PATTERN.lastIndex = start
  return CLOSED_PATTERN.test(keys) ? CLOSED_PATTERN.lastIndex : start
}

function withoutBlanks(parts: string[]): string[] {
  return parts.map((part) => part.trim()).filter(Boolean)
}

const ROLES = new Map<string, CardKey['role']>([
  ['', 'triggers'],
  ['+', 'required'],
  ['++', 'required_all'],
  ['-', 'forbids'],
  ['--', 'forbids_all'],
])

function parseKey(written: string): CardKey {
  const [sign = ''] = /^(?:\+\+?|--?)?/.exec(written) ?? []
  return {
    ...kindAndText(written.slice(sign.length).trim()),
    role: ROLES.get(sign) ?? 'triggers',
    written,
  }
}

function kindAndText(key: string): Pick<CardKey, 'kind' | 'text'> {
  if (key === ALWAYS) return { kind: 'always', text: '' }
  if (key.startsWith('/')) return { kind: compilePattern(key) ? 'pattern' : 'invalid', text: key }
  if (key.startsWith('=')) return unlessBlank('whole', key.slice(1))
  if (key.startsWith('*')) return unlessBlank('inside', key.slice(1))
  // In scripts without spaces, the start of a word cannot be found.
  return unlessBlank(UNSPACED.test(key) ? 'inside' : 'word', key)
}

const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

function unlessBlank(kind: CardKey['kind'], written: string): Pick<CardKey, 'kind' | 'text'> {
  const text = written.trim().replace(ESCAPED, '$1')
  return { kind: text === '' ? 'invalid' : kind, text }
}
