import { ALPACA_HEADINGS, ROLE_WORDS, TOKEN_FAMILIES, type TokenKind } from './token-families.ts'

/** From a token, a heading or a role word, in lower case, to its meaning. */
const KINDS: ReadonlyMap<string, TokenKind> = new Map([
  ...TOKEN_FAMILIES.flatMap(({ role = [], narrator = [], other = [], mark = [] }) => [
    ...kinds('role', role),
    ...kinds('narrator', narrator),
    ...kinds('other', other),
    ...kinds('mark', mark),
  ]),
  ...kinds('narrator', [...ALPACA_HEADINGS.narrator, ...ROLE_WORDS.narrator]),
  ...kinds('other', [...ALPACA_HEADINGS.other, ...ROLE_WORDS.other]),
])

/**
 * `<|name|>` and `[|name|]` are tokens of any family: no prose has that shape. Small models forget the last character of
 * tokens that their template does not have.
 */
const SHAPES = ['<[|｜][\\w▁-]{1,40}[|｜](?:>|(?=[^>]))', '\\[\\|\\w{1,40}\\|\\]']
const PARTIAL_SHAPE = /^(?:<(?:[|｜](?:[\w▁-]{1,40}[|｜]?)?)?|\[(?:\|(?:\w{1,40}\|?)?)?)$/

const isShape = new RegExp(`^(?:${SHAPES.join('|')})$`)
const LITERALS = [...KINDS.keys()].filter((token) => /^[<[]/.test(token) && !isShape.test(token))
const HEADINGS = [...ALPACA_HEADINGS.narrator, ...ALPACA_HEADINGS.other]

const TOKEN = new RegExp(
  [
    ...SHAPES,
    ...LITERALS.map((token) => RegExp.escape(token)),
    `(?<=\\n)(?:${HEADINGS.join('|').replaceAll(' ', ' ?')}) ?(?::|(?=\\r?\\n))`,
  ].join('|'),
  'gi',
)

/** Everything that a literal can begin with. */
const BEGINNINGS = new Set(LITERALS.flatMap((token) => beginningsOf(token)))
/** The word of a heading has at most this many letters. */
const PARTIAL_HEADING = /^(?:#{1,3}|### ?[a-z]{0,11} ?\r?)$/i
/** The longest text that can be held back. */
const MAX_PARTIAL = 44

/** The beginning of a token that prose does not end with. */
const CUT_TOKEN = /^<[|｜]./

/** A role word and the character after it, which shows that the word is whole. */
const ROLE = /([a-z]{1,12})(:|(?=[^a-z:]))/iy

/**
 * Ends a reply at the first token of a chat template, however the reply is split into pieces (docs/rules.md 4.13). Before
 * the first prose a token ends nothing: what it gives to the narrator is read on, what it gives to others is left out.
 */
export class TemplateTokenFilter {
  /** Whether a token was seen after prose: everything after it is dropped. */
  isEnded = false
  /** Whether anything was left out. */
  dropped = false
  /** Text that could become a token. */
  private held = ''
  /** The character before it. */
  private before = '\n'
  private hasProse = false
  private isOthers = false
  private isRoleNext = false

  /** Takes the next piece of the reply; returns the prose that is safe. */
  push(piece: string): string {
    return this.isEnded ? '' : this.read(this.held + piece, '')
  }

  /** Ends the reply; returns what was held back, without a token that the end cut short: `<|im_`. */
  end(): string {
    if (this.isEnded) return ''
    const isCut = CUT_TOKEN.test(this.held) && isPartial(this.held, this.before)
    if (isCut) this.dropped = true
    return this.read(isCut ? '' : this.held, '\n')
  }

  /** `after` is '' unless the reply ends here. */
  private read(unread: string, after: '' | '\n'): string {
    const text = this.before + unread + after
    const end = text.length - after.length
    let prose = ''
    let at = 1
    while (!this.isEnded) {
      const start = this.isRoleNext ? this.readRole(text, at) : at
      if (start === null) break
      TOKEN.lastIndex = start
      const token = TOKEN.exec(text)
      at = token?.index ?? (after === '' ? startOfPartial(text, start) : end)
      prose += this.pass(text.slice(start, at))
      if (!token) break
      at += token[0].length
      this.take(token[0])
    }
    this.held = text.slice(at, end)
    this.before = text.charAt(at - 1)
    return prose
  }

  /** Reads the role after a token; returns where the text continues, or null if the word is not complete. */
  private readRole(text: string, at: number): number | null {
    if (at === text.length) return null
    ROLE.lastIndex = at
    const role = ROLE.exec(text)
    if (role === null && /^[a-z]{1,12}$/i.test(text.slice(at))) return null
    this.isRoleNext = false
    const kind = KINDS.get(role?.[1]?.toLowerCase() ?? '')
    this.isOthers = kind === 'other'
    return role && kind ? at + role[0].length : at
  }

  private take(token: string): void {
    this.dropped = true
    this.isEnded = this.hasProse
    const kind = KINDS.get(keyOf(token)) ?? 'mark'
    this.isRoleNext = kind === 'role'
    if (kind !== 'mark') this.isOthers = kind === 'other'
  }

  private pass(text: string): string {
    if (this.hasProse) return text
    if (this.isOthers) return ''
    const prose = this.dropped ? text.trimStart() : text
    this.hasProse = prose.trim() !== ''
    return prose
  }
}

/** The start of a suffix that could become a token; the length of the text if there is none. */
function startOfPartial(text: string, from: number): number {
  const first = Math.max(from, text.length - MAX_PARTIAL)
  for (let i = first; i < text.length; i++) if (isPartial(text.slice(i), text.charAt(i - 1))) return i
  return text.length
}

function isPartial(tail: string, before: string): boolean {
  if (tail.startsWith('#')) return before === '\n' && PARTIAL_HEADING.test(tail)
  return BEGINNINGS.has(tail.toLowerCase()) || PARTIAL_SHAPE.test(tail)
}

function beginningsOf(token: string): string[] {
  return Array.from({ length: token.length - 1 }, (_, i) => token.slice(0, i + 1))
}

/** A token as the table spells it: whole, and headings with one space and without what follows them. */
function keyOf(token: string): string {
  return token
    .toLowerCase()
    .replace(/^### ?/, '### ')
    .replace(/ ?:?$/, '')
    .replace(/^<.*[^>]$/, '$&>')
}

function kinds(kind: TokenKind, tokens: readonly string[]): [string, TokenKind][] {
  return tokens.map((token) => [token.toLowerCase(), kind])
}
