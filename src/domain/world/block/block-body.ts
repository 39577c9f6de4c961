import type { Block } from './delta.ts'

/** Characters of a block that are kept. No scene needs more, and a runaway reply must not fill the memory. */
const LONGEST = 64_000
/** Characters after an object within which its closing mark is still expected. */
const TAIL = 200
/** The longest mark that can close a block. */
const MARK = 40

/** How a block ended: what it holds, and what was told after it. `owesFence`: its closing fence has not been seen. */
export interface Ended {
  block: Block
  rest: string
  owesFence: boolean
}

/** What a block is inside of, and which words can be keys in it. */
export interface Kind {
  /** The fence that opened it, `>` or `]` for a tag, '' for a bare object. */
  closer: string
  isKey: (word: string) => boolean
  /** Whether such a word may begin like this. */
  mayBeKey: (begun: string) => boolean
  /** Whether a tag of this name opens a block. */
  isLabel: (word: string) => boolean
}

/** A line that can stand in a block: brackets, a comment, a quoted key; or a bare key, which has to be a known one. */
const ENTRY =
  /^\s*(?:[-*•]\s+)?(?:[{}[\],]|\/\/|\/\*|(?:["“][^"”\n]{1,90}["”]|['‘`][^'’`\n]{1,90}['’`])\s*[:=])/
const BARE_ENTRY = /^\s*(?:[-*•]\s+)?([\p{L}_][^:=\n{}"]{0,80})[:=]/u
const KEY_BEGINS = /^(?:["“][^"”\n]{0,90}(?:["”]\s*)?|['‘][^'’\n]{0,90}(?:['’]\s*)?)$/
const KEY = /^(?:["“][^"”\n]{1,90}["”]|['‘][^'’\n]{1,90}['’])\s*[:=]/

/** The inside of a block while it comes in: finds its end, by its closing mark or by its last brace. */
export class BlockBody {
  private text = ''
  /** The last characters of it: looking into a text that grows would copy it each time. */
  private tail = ''
  /** What came after the whole object. */
  private after = ''
  private tooLong = false
  private depth = 0
  /** Where the object was whole; -1 until then. */
  private wholeAt = -1
  /** The marks that may close the text that is open; '' outside of one. */
  private closes = ''
  private mayClose = false
  private inComment = false
  /** The last character that was no white space. */
  private solid = ''
  /** Lines without braces; null until that is known. */
  private isLines: boolean | null = null

  constructor(private readonly kind: Kind) {}

  /** Null while the block goes on. */
  feed(c: string): Ended | null {
    this.append(c)
    const wasWhole = this.wholeAt >= 0
    this.track(c)
    const mark = this.closes === '' ? this.markAt(c) : ''
    if (mark !== '') return this.endAtMark(mark)
    if (this.wholeAt < 0)
      return this.tooLong && this.kind.closer === '' && this.tail.endsWith('\n\n')
        ? this.ended('', '', true)
        : null
    const proseAt = wasWhole ? -1 : this.proseFrom(true)
    if (proseAt >= 0) return this.splitAt(proseAt)
    return this.kind.closer === '' ? this.ended(this.text, '', true) : this.afterObject()
  }

  /** How many characters of a piece, from a place on, are passed over because the block is too long to be kept. */
  passesOver(piece: string, from: number): number {
    if (!this.tooLong) return 0
    const { closer } = this.kind
    const mark = closer === '' ? '\n\n' : closer === '>' ? '</' : closer === ']' ? '[/' : closer
    const at = piece.indexOf(mark, from)
    return (at === -1 ? Math.max(from, piece.length - MARK) : at) - from
  }

  /** The reply broke off inside the block. What cannot belong to it is prose. */
  breakOff(): Ended {
    if (this.wholeAt >= 0) return this.ended(this.text.slice(0, this.wholeAt), '', false)
    const proseAt = this.proseFrom(this.isLines !== true)
    if (proseAt >= 0) return this.splitAt(proseAt)
    return { ...this.ended(this.text, '', true), block: this.blockOf(this.text, true) }
  }

  private append(c: string): void {
    this.text += c
    this.tail = (this.tail + c).slice(-MARK)
    if (this.wholeAt >= 0) this.after += c
    if (this.text.length <= LONGEST) return
    this.tooLong = true
    this.text = this.tail
    this.closes = ''
  }

  private track(c: string): void {
    if (this.isLines === null && /\S/.test(c)) this.isLines = !/[{[]/.test(c)
    if (this.isLines || this.skipsComment(c)) return
    // A quotation mark closes a text when something else may follow it there; no text goes over the end of a line.
    if (this.mayClose && !/[ \t\r]/.test(c)) {
      this.mayClose = false
      if (/[,:=}\]\n/#;)`~"'“‘]/.test(c)) this.closes = ''
    }
    if (c === '\n') this.closes = ''
    if (this.closes !== '') this.mayClose ||= this.closes.includes(c) && this.tail.at(-2) !== '\\'
    else if (c === '"' || c === '“') this.closes = '"”'
    else if ((c === "'" || c === '‘') && /[{,:=[]/.test(this.solid)) this.closes = "'’"
    else if (c === '{' || c === '[') this.depth++
    else if ((c === '}' || c === ']') && this.depth > 0 && --this.depth === 0) this.wholeAt = this.text.length
    if (/\S/.test(c)) this.solid = c
  }

  private skipsComment(c: string): boolean {
    if (this.inComment) this.inComment = c !== '\n'
    else if (this.closes === '' && (c === '#' || this.tail.endsWith('//'))) this.inComment = true
    return this.inComment
  }

  /** The closing mark that has just become complete; '' for none. Another block's opening tag closes this one too. */
  private markAt(c: string): string {
    const { closer, isLabel } = this.kind
    if (closer === '') return ''
    if (closer !== '>' && closer !== ']') return this.tail.endsWith(closer) ? closer : ''
    if (c !== closer) return ''
    const [mark = '', slash, name = ''] = /[<[]\|?(\/?)([^<>[\]|/\n]{0,30})\|?[>\]]$/.exec(this.tail) ?? []
    return slash === '/' || isLabel(name) ? mark : ''
  }

  // Where prose stands before the mark, the block was never closed, and the mark is looked at anew.
  private endAtMark(mark: string): Ended {
    const isOpening = /^[<[]\|?[^|/]/.test(mark)
    const proseAt = this.proseFrom(true)
    if (proseAt >= 0) return this.splitAt(proseAt)
    return this.ended(this.text.slice(0, -mark.length), isOpening ? mark : '', false)
  }

  /** The object is whole: only its closing mark, a comment or another object may follow, else the story goes on. */
  private afterObject(): Ended | null {
    const tail = this.after.replace(/(\/\/|#)[^\n]*|\/\*[\s\S]*?(\*\/|$)/g, '')
    const next = tail.replace(/^[\s,;)\]}]+/, '')
    if (next === '') return this.after.length > TAIL ? this.goOn() : null
    if (next === '/') return null
    if (this.kind.closer.startsWith(next) || /^[<[]\s*(\|?\/[^<>[\]\n]{0,30})?$/.test(next)) return null
    if (KEY_BEGINS.test(next)) return null
    if (!/^(\{|\[\s*[{["'“‘])/.test(next) && !KEY.test(next)) return this.goOn()
    this.wholeAt = -1
    this.after = ''
    this.depth = /^[{[]/.test(next) ? next.replace(/[^{[]/g, '').length : 0
    return null
  }

  private goOn(): Ended {
    return this.ended(this.text.slice(0, this.wholeAt), this.after, true)
  }

  private splitAt(at: number): Ended {
    const text = this.text.slice(0, at)
    return { block: this.blockOf(text, true), rest: this.text.slice(at), owesFence: true }
  }

  private ended(text: string, rest: string, owesFence: boolean): Ended {
    return { block: this.blockOf(text, false), rest, owesFence }
  }

  private blockOf(text: string, cut: boolean): Block {
    return { text: this.tooLong ? '' : text, cut, tooLong: this.tooLong }
  }

  /** Where the first line begins that cannot stand in a block, after an empty line if that is asked; -1 for none. */
  private proseFrom(afterBlank: boolean): number {
    if (this.tooLong) return -1
    let at = 0
    let mayBegin = !afterBlank
    for (const line of this.text.split('\n')) {
      if (line.trim() === '') mayBegin ||= at > 0
      else if (mayBegin && !this.isEntry(line) && !this.mayBecomeEntry(line, at)) return at
      at += line.length + 1
    }
    return -1
  }

  /** The last line may have broken off inside a key. */
  private mayBecomeEntry(line: string, at: number): boolean {
    const begun = line.trim()
    return at + line.length === this.text.length && (KEY_BEGINS.test(begun) || this.kind.mayBeKey(begun))
  }

  private isEntry(line: string): boolean {
    if (ENTRY.test(line) || line.trim() === this.kind.closer) return true
    const [, key] = BARE_ENTRY.exec(line) ?? []
    return key !== undefined && this.kind.isKey(key.trim())
  }
}
