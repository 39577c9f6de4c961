import {
  ALPACA_HEADINGS,
  REGULAR_THOUGHT,
  ROLE_WORDS,
  THOUGHT_FAMILIES,
  THOUGHT_WORDS,
  TOKEN_FAMILIES,
  WRAPPERS,
} from './mark-families.ts'

export interface Thought {
  name: string
  /** Its closing mark without an opening one means that all text before was thought. */
  closesAlone: boolean
}

/** A `role` stands before the word for a speaker, a `wrapper` around the story itself; a `mark` has no speaker. */
export type TokenKind = 'role' | 'narrator' | 'other' | 'mark' | 'wrapper'

const TOKENS: ReadonlyMap<string, TokenKind> = new Map([
  ...TOKEN_FAMILIES.flatMap(({ role = [], narrator = [], other = [], mark = [] }) => [
    ...kinds('role', role),
    ...kinds('narrator', narrator),
    ...kinds('other', other),
    ...kinds('mark', mark),
  ]),
  ...kinds('narrator', [...ALPACA_HEADINGS.narrator, ...ROLE_WORDS.narrator]),
  ...kinds('other', [...ALPACA_HEADINGS.other, ...ROLE_WORDS.other]),
  ...kinds('wrapper', WRAPPERS),
])
const OPENINGS = thoughtsBy('open')
const CLOSINGS = thoughtsBy('close')

/** Tokens of any family: no prose has that shape. Small models forget the last character of those that they do not know. */
const TOKEN_SHAPES = ['<[|｜][\\w▁-]{1,40}[|｜](?:>|(?=[^>]))', '\\[\\|\\w{1,40}\\|\\]']
const THOUGHT_SHAPES = ['<[\\w/:|-]{1,36}>', '\\[/?[A-Z_]{1,20}\\]', '◁/?\\w{1,20}▷']
const PARTIAL_SHAPE =
  /^(?:<(?:[|｜](?:[\w▁-]{1,40}[|｜]?)?|[\w/:|-]{0,36})|\[(?:\|(?:\w{1,40}\|?)?|\/?[A-Z_]{0,20})|◁\/?\w{0,20})$/
const isTokenShape = new RegExp(`^(?:${TOKEN_SHAPES.join('|')})$`)

const THOUGHT_MARKS = THOUGHT_FAMILIES.flatMap(({ open, close }) => [...open, ...close]).map(folded)
const LITERALS = [...new Set([...THOUGHT_MARKS, ...TOKENS.keys()])].filter((mark) =>
  /[<[\d]|^assistantf/.test(mark),
)
/** They count at the start of a line. */
const PHRASES = THOUGHT_MARKS.filter((mark) => mark.startsWith('here'))
const HEADINGS = [...ALPACA_HEADINGS.narrator, ...ALPACA_HEADINGS.other].join('|').replaceAll(' ', ' ?')

/** Everything that may be a mark, the longest first. */
export const MARK = new RegExp(
  [
    ...LITERALS.toSorted((a, b) => b.length - a.length).map((mark) => RegExp.escape(mark)),
    ...TOKEN_SHAPES,
    ...THOUGHT_SHAPES,
    `(?<=\\n)(?:(?:${HEADINGS}) ?(?::|(?=\\r?\\n))|${PHRASES.join('|')})`,
  ].join('|'),
  'gi',
)

const BEGINNINGS = new Set([...LITERALS, ...PHRASES].flatMap(beginningsOf))
/** The word of a heading has at most this many letters. */
const PARTIAL_HEADING = /^(?:#{1,3}|### ?[a-z]{0,11} ?\r?)$/i
/** Characters of the longest text that can become a mark. */
export const MAX_PARTIAL = 44

/** True for the end of a text that may become a mark, or a longer one. `before` is the character before it. */
export function isPartialMark(text: string, before: string): boolean {
  if (text.startsWith('#')) return before === '\n' && PARTIAL_HEADING.test(text)
  if (/^h/i.test(text) && before !== '\n') return false
  return BEGINNINGS.has(folded(text)) || PARTIAL_SHAPE.test(text)
}

export function openedBy(mark: string): Thought | null {
  return OPENINGS.get(folded(mark))?.[0] ?? regularThought(mark, false)
}

export function closes(mark: string, { name }: Thought): boolean {
  const closed = CLOSINGS.get(folded(mark)) ?? [regularThought(mark, true)]
  return closed.some((thought) => thought?.name === name)
}

export function closedAloneBy(mark: string): Thought | null {
  const closed = CLOSINGS.get(folded(mark)) ?? [regularThought(mark, true)]
  return closed.find((thought) => thought?.closesAlone) ?? null
}

/** The kind of a template token, a heading or the word for a speaker; null for other text. */
export function tokenKind(mark: string): TokenKind | null {
  const kind = TOKENS.get(
    folded(mark)
      .replace(/^### ?/, '### ')
      .replace(/ ?:?$/, '')
      .replace(/^<.*[^>]$/, '$&>'),
  )
  return kind ?? (isTokenShape.test(mark) ? 'mark' : null)
}

/** True for marks that prose may mention: tags without the `|` of a token. */
export function isEveryday(mark: string): boolean {
  return /^(?:<[\w/:-]+>|\[[\w/ ]+\])$/.test(mark)
}

/** The thought of a mark that follows the common rule, if the mark is on this side of it. */
function regularThought(mark: string, isClosing: boolean): Thought | null {
  const [, before = '', name = ''] = REGULAR_THOUGHT.exec(mark) ?? []
  const words = name.toLowerCase().split(/[^a-z]+/)
  if (!words.some((word) => THOUGHT_WORDS.has(word))) return null
  if (isClosing !== (before.endsWith('/') || words.includes('end'))) return null
  const named = words.filter((word) => !SIDES.has(word)).join(' ')
  return { name: `${before.replace('/', '')}${named}`, closesAlone: true }
}

const SIDES = new Set(['', 'begin', 'start', 'end', 'of'])

function thoughtsBy(side: 'open' | 'close'): ReadonlyMap<string, Thought[]> {
  const all = THOUGHT_FAMILIES.flatMap(({ closesAlone = false, name, [side]: marks }) =>
    marks.map((mark) => ({ mark: folded(mark), thought: { name, closesAlone } })),
  )
  const grouped = Map.groupBy(all, ({ mark }) => mark)
  return new Map([...grouped].map(([mark, rows]) => [mark, rows.map(({ thought }) => thought)]))
}

function beginningsOf(mark: string): string[] {
  return Array.from({ length: mark.length - 1 }, (_, i) => mark.slice(0, i + 1))
}

function kinds(kind: TokenKind, marks: readonly string[]): [string, TokenKind][] {
  return marks.map((mark) => [folded(mark), kind])
}

function folded(mark: string): string {
  return mark.toLowerCase().replaceAll('’', "'")
}
