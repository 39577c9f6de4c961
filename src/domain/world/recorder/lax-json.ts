import { readNumber } from '../../../lib/numbers.ts'

/** What models write when asked for JSON. Keys keep their order and may repeat. */
export type LaxValue = string | number | boolean | null | LaxValue[] | LaxObject

export class LaxObject {
  readonly pairs: [key: string, value: LaxValue | Unread][] = []
}

/** A value that could not be read. It is not guessed. */
export class Unread {}

const MAX_PAIRS = 1_000
const MAX_DEPTH = 8
const MAX_KEY = 200

const QUOTES: Record<string, string> = { '"': '"”', '“': '”"“', '”': '”"', "'": "'’", '‘': "’'", '`': '`' }
const ENDS_WORD = /[}\]\n]/
const WORDS: Record<string, boolean | null> = { true: true, false: false, null: null, none: null }

/**
 * Parses objects as models write them: any quotes or none, comments, trailing and missing commas, plus signs, `True`,
 * and text that is cut off (`cut`), of which all complete pairs count. Takes time linear in the
 * length of the text, goes at most eight levels deep, and never throws.
 */
export function parseLaxJson(text: string, cut: boolean): LaxValue[] {
  return new LaxReader(text, cut).readAll()
}

class LaxReader {
  private at = 0
  private pairs = 0

  constructor(
    private readonly text: string,
    private readonly cut: boolean,
  ) {}

  readAll(): LaxValue[] {
    const values: LaxValue[] = []
    for (; this.at < this.text.length; this.at++)
      while (/[{[]/.test(this.text[this.at] ?? '')) values.push(this.readValue(0) as LaxValue)
    return values
  }

  /** Pairs up to a closing brace, or to the end of the text. */
  private readPairs(depth: number): LaxObject {
    const object = new LaxObject()
    for (this.skip(); this.at < this.text.length && this.text[this.at] !== '}'; this.skip()) {
      const before = this.at
      const pair = this.readPair(depth)
      if (pair && this.pairs++ < MAX_PAIRS) object.pairs.push(pair)
      if (this.at === before) this.at++
    }
    this.at++
    return object
  }

  private readPair(depth: number): [string, LaxValue | Unread] | null {
    const key = this.readKey()
    if (key === null) return null
    this.skipBlank()
    if (this.at >= this.text.length) return null
    if (!/[:=]/.test(this.text[this.at] ?? '')) return null
    this.at++
    if (this.text[this.at] === '>') this.at++
    this.skip()
    const value = this.readValue(depth)
    return value === undefined ? null : [key, value]
  }

  private readKey(): string | null {
    const c = this.text[this.at] ?? ''
    if (c in QUOTES) {
      const key = this.readString()
      return typeof key === 'string' ? key.slice(0, MAX_KEY) : null
    }
    const start = this.at
    while (this.at < this.text.length && !/[:=\n{}[\],]/.test(this.text[this.at] ?? '')) this.at++
    return this.text[this.at] === ':' || this.text[this.at] === '='
      ? this.text
          .slice(start, this.at)
          .trim()
          .replace(/^[-*•]\s+/, '')
          // The opening quote is missing.
          .replace(/["'”’`]$/, '')
          .slice(0, MAX_KEY)
      : null
  }

  /** Undefined if the text is cut off inside the value. */
  private readValue(depth: number): LaxValue | Unread | undefined {
    const c = this.text[this.at] ?? ''
    if (c === '') return this.cut ? undefined : new Unread()
    if ((c === '{' || c === '[') && depth >= MAX_DEPTH) return this.skipNested()
    if (c === '{') {
      this.at++
      return this.readPairs(depth + 1)
    }
    if (c === '[') return this.readList(depth + 1)
    if (c in QUOTES) return this.readString()
    return this.readWord()
  }

  private readList(depth: number): LaxValue[] {
    const list: LaxValue[] = []
    this.at++
    for (this.skip(); this.at < this.text.length && this.text[this.at] !== ']'; this.skip()) {
      const before = this.at
      const value = this.readValue(depth)
      if (value !== undefined && !(value instanceof Unread) && this.pairs++ < MAX_PAIRS) list.push(value)
      if (this.at === before) this.at++
    }
    this.at++
    return list
  }

  private readString(): string | Unread | undefined {
    const closers = QUOTES[this.text[this.at] ?? ''] ?? ''
    let value = ''
    for (this.at++; this.at < this.text.length; this.at++) {
      const c = this.text[this.at] ?? ''
      if (c === '\n') return new Unread()
      if (c === '\\') value += this.readEscape()
      else if (closers.includes(c) && this.closesHere()) {
        this.at++
        return value
      } else value += c
    }
    return this.cut ? undefined : new Unread()
  }

  // Whether a quotation mark closes the string or belongs to it depends on what follows.
  private closesHere(): boolean {
    let next = this.at + 1
    while (/[ \t\r]/.test(this.text[next] ?? '')) next++
    const c = this.text[next] ?? ''
    if (c === '' || /[,:=}\]\n/#;)]/.test(c)) return true
    return c in QUOTES && /^["'“‘][\w .-]{1,80}["'”’]\s*[:=]/.test(this.text.slice(next, next + 100))
  }

  private readEscape(): string {
    this.at++
    const c = this.text[this.at] ?? ''
    const code = /^[0-9a-f]{4}/i.exec(this.text.slice(this.at + 1, this.at + 5))?.[0]
    if (c === 'u' && code) {
      this.at += 4
      return String.fromCharCode(Number.parseInt(code, 16))
    }
    return { n: '\n', t: '\t', r: '', b: '', f: '' }[c] ?? c
  }

  private readWord(): LaxValue | Unread | undefined {
    const start = this.at
    while (this.at < this.text.length && !this.endsWord()) this.at++
    // Part of a number is a different number.
    if (this.cut && this.at >= this.text.length) return undefined
    const word = this.text.slice(start, this.at).trim().replace(/;$/, '')
    if (word === '') return new Unread()
    if (Object.hasOwn(WORDS, word.toLowerCase())) return WORDS[word.toLowerCase()] ?? null
    return readNumber(word.replace(/(?<!\s)\s*\([^()]*\)$/, '')) ?? word
  }

  // A comma ends a word if another pair may follow; otherwise it is part of it: "grey cape, torn", "1,000".
  private endsWord(): boolean {
    if (this.text[this.at] === '(') this.at = this.closingOf(this.at)
    const c = this.text[this.at] ?? ''
    if (c !== ',') return ENDS_WORD.test(c) || this.isComment()
    return /^\s*($|[}\]\n{["'“‘]|[\p{L}_][^:=,\n]{0,80}[:=]|\/[/*]|#|,)/u.test(
      this.text.slice(this.at + 1, this.at + 100),
    )
  }

  private closingOf(at: number): number {
    const end = /^[^()\n]{0,200}\)/.exec(this.text.slice(at + 1, at + 210))?.[0]
    return end === undefined ? at : at + end.length
  }

  private skipNested(): Unread {
    let open = 0
    for (; this.at < this.text.length; this.at++) {
      const c = this.text[this.at] ?? ''
      if (c === '{' || c === '[') open++
      else if (c === '}' || c === ']') open--
      if (open === 0) break
    }
    this.at++
    return new Unread()
  }

  /** Skips whitespace, commas and comments. */
  private skip(): void {
    for (; this.at < this.text.length; this.at++) {
      if (this.isComment()) this.skipComment()
      else if (!/[\s,;]/.test(this.text[this.at] ?? '')) return
    }
  }

  private skipBlank(): void {
    while (/[ \t]/.test(this.text[this.at] ?? '')) this.at++
  }

  private isComment(): boolean {
    const c = this.text[this.at]
    const next = this.text[this.at + 1]
    return c === '#' || (c === '/' && (next === '/' || next === '*'))
  }

  private skipComment(): void {
    const isBlock = this.text[this.at + 1] === '*'
    const end = this.text.indexOf(isBlock ? '*/' : '\n', this.at + 1)
    this.at = end === -1 ? this.text.length : end + (isBlock ? 1 : 0)
  }
}
