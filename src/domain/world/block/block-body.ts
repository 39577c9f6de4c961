import type { StateBlock } from './delta.ts'

/** Characters of a block. No scene needs more, and a runaway reply must not fill the memory. */
const MAX_BLOCK = 64_000
/** Characters after a complete object within which its closing tag or fence is still expected. */
const MAX_TAIL = 200
/** Characters of the longest closing tag or fence. */
const MAX_CLOSER = 40

/** How a block ended: its content, and the text after it. `owesFence`: its closing fence has not been seen. */
export interface BlockEnd {
  block: StateBlock
  rest: string
  owesFence: boolean
}

/** What encloses a block, and which words can be keys in it. */
interface BlockKind {
  /** The opening fence, `>` or `]` for a tag, '' for a bare object. */
  closer: string
  isKey: (word: string) => boolean
  /** Whether a key can start like this. */
  mayBeKey: (prefix: string) => boolean
  /** Whether a tag with this name opens a block. */
  isLabel: (word: string) => boolean
}

/** A line that can be part of a block: brackets, a comment, a quoted key; or a bare key, which must be a known one. */
const ENTRY =
  /^\s*(?:[-*•]\s+)?(?:[{}[\],]|\/\/|\/\*|(?:["“][^"”\n]{1,90}["”]|['‘`][^'’`\n]{1,90}['’`])\s*[:=])/
const BARE_ENTRY = /^\s*(?:[-*•]\s+)?([\p{L}_][^:=\n{}"]{0,80})[:=]/u
const KEY_START = /^(?:["“][^"”\n]{0,90}(?:["”]\s*)?|['‘][^'’\n]{0,90}(?:['’]\s*)?)$/
const KEY = /^(?:["“][^"”\n]{1,90}["”]|['‘][^'’\n]{1,90}['’])\s*[:=]/

/** The inside of a block while it streams in. Finds its end, by its closing tag or fence, or by its last brace. */
export class BlockBody {
  private text = ''
  /** Its last characters, kept apart because slicing the growing text each time would copy it. */
  private tail = ''
  /** The text after the complete object. */
  private after = ''
  private tooLong = false
  private depth = 0
  /** The position where the object was complete; -1 until then. */
  private completeAt = -1
  /** The quotation marks that can close the open string; '' outside a string. */
  private closingQuotes = ''
  private mayClose = false
  private inComment = false
  /** The last character that was not whitespace. */
  private lastVisible = ''
  /** Whether the block consists of lines without braces; null until known. */
  private isLines: boolean | null = null

  constructor(private readonly kind: BlockKind) {}

  /** Null while the block continues. */
  feed(c: string): BlockEnd | null {
    this.append(c)
    const wasComplete = this.completeAt >= 0
    this.track(c)
    const closer = this.closingQuotes === '' ? this.closerAt(c) : ''
    if (closer !== '') return this.endAtCloser(closer)
    if (this.completeAt < 0)
      return this.tooLong && this.kind.closer === '' && this.tail.endsWith('\n\n')
        ? this.ended('', '', true)
        : null
    const proseAt = wasComplete ? -1 : this.proseFrom(true)
    if (proseAt >= 0) return this.splitAt(proseAt)
    return this.kind.closer === '' ? this.ended(this.text, '', true) : this.afterObject()
  }

  /** How many characters of a chunk can be skipped from a position because the block is already too long. */
  skippable(chunk: string, from: number): number {
    if (!this.tooLong) return 0
    const { closer } = this.kind
    const end = closer === '' ? '\n\n' : closer === '>' ? '</' : closer === ']' ? '[/' : closer
    const at = chunk.indexOf(end, from)
    return (at === -1 ? Math.max(from, chunk.length - MAX_CLOSER) : at) - from
  }

  /** The reply was cut off inside the block. What cannot belong to the block is prose. */
  breakOff(): BlockEnd {
    if (this.completeAt >= 0) return this.ended(this.text.slice(0, this.completeAt), '', false)
    const proseAt = this.proseFrom(this.isLines !== true)
    if (proseAt >= 0) return this.splitAt(proseAt)
    return { ...this.ended(this.text, '', true), block: this.blockOf(this.text, true) }
  }

  private append(c: string): void {
    this.text += c
    this.tail = (this.tail + c).slice(-MAX_CLOSER)
    if (this.completeAt >= 0) this.after += c
    if (this.text.length <= MAX_BLOCK) return
    this.tooLong = true
    this.text = this.tail
    this.closingQuotes = ''
  }

  private track(c: string): void {
    if (this.isLines === null && /\S/.test(c)) this.isLines = !/[{[]/.test(c)
    if (this.isLines || this.skipsComment(c)) return
    // A quotation mark closes a string only if what follows can follow a string; no string spans lines.
    if (this.mayClose && !/[ \t\r]/.test(c)) {
      this.mayClose = false
      if (/[,:=}\]\n/#;)`~"'“‘]/.test(c)) this.closingQuotes = ''
    }
    if (c === '\n') this.closingQuotes = ''
    if (this.closingQuotes !== '')
      this.mayClose ||= this.closingQuotes.includes(c) && this.tail.at(-2) !== '\\'
    else if (c === '"' || c === '“') this.closingQuotes = '"”'
    else if ((c === "'" || c === '‘') && /[{,:=[]/.test(this.lastVisible)) this.closingQuotes = "'’"
    else if (c === '{' || c === '[') this.depth++
    else if ((c === '}' || c === ']') && this.depth > 0 && --this.depth === 0)
      this.completeAt = this.text.length
    if (/\S/.test(c)) this.lastVisible = c
  }

  private skipsComment(c: string): boolean {
    if (this.inComment) this.inComment = c !== '\n'
    else if (this.closingQuotes === '' && (c === '#' || this.tail.endsWith('//'))) this.inComment = true
    return this.inComment
  }

  /** The closing tag or fence that is complete at this character; '' for none. The opening tag of another block also closes this one. */
  private closerAt(c: string): string {
    const { closer, isLabel } = this.kind
    if (closer === '') return ''
    if (closer !== '>' && closer !== ']') return this.tail.endsWith(closer) ? closer : ''
    if (c !== closer) return ''
    const [tag = '', slash, name = ''] = /[<[]\|?(\/?)([^<>[\]|/\n]{0,30})\|?[>\]]$/.exec(this.tail) ?? []
    return slash === '/' || isLabel(name) ? tag : ''
  }

  // If there is prose before the closer, the block was never closed, and the closer is examined again.
  private endAtCloser(closer: string): BlockEnd {
    const isOpening = /^[<[]\|?[^|/]/.test(closer)
    const proseAt = this.proseFrom(true)
    if (proseAt >= 0) return this.splitAt(proseAt)
    return this.ended(this.text.slice(0, -closer.length), isOpening ? closer : '', false)
  }

  /** The object is complete: only its closer, a comment or another object may follow. Anything else is prose. */
  private afterObject(): BlockEnd | null {
    const tail = this.after.replace(/(\/\/|#)[^\n]*|\/\*[\s\S]*?(\*\/|$)/g, '')
    const next = tail.replace(/^[\s,;)\]}]+/, '')
    if (next === '') return this.after.length > MAX_TAIL ? this.endAtObject() : null
    if (next === '/') return null
    if (this.kind.closer.startsWith(next) || /^[<[]\s*(\|?\/[^<>[\]\n]{0,30})?$/.test(next)) return null
    if (KEY_START.test(next)) return null
    if (!/^(\{|\[\s*[{["'“‘])/.test(next) && !KEY.test(next)) return this.endAtObject()
    this.completeAt = -1
    this.after = ''
    this.depth = /^[{[]/.test(next) ? next.replace(/[^{[]/g, '').length : 0
    return null
  }

  private endAtObject(): BlockEnd {
    return this.ended(this.text.slice(0, this.completeAt), this.after, true)
  }

  private splitAt(at: number): BlockEnd {
    const text = this.text.slice(0, at)
    return { block: this.blockOf(text, true), rest: this.text.slice(at), owesFence: true }
  }

  private ended(text: string, rest: string, owesFence: boolean): BlockEnd {
    return { block: this.blockOf(text, false), rest, owesFence }
  }

  private blockOf(text: string, cut: boolean): StateBlock {
    return { text: this.tooLong ? '' : text, cut, tooLong: this.tooLong }
  }

  /** The position of the first line that cannot be part of a block, optionally only after a blank line; -1 for none. */
  private proseFrom(afterBlank: boolean): number {
    if (this.tooLong) return -1
    let at = 0
    let mayStart = !afterBlank
    for (const line of this.text.split('\n')) {
      if (line.trim() === '') mayStart ||= at > 0
      else if (mayStart && !this.isEntry(line) && !this.mayBecomeEntry(line, at)) return at
      at += line.length + 1
    }
    return -1
  }

  /** The last line may have been cut off inside a key. */
  private mayBecomeEntry(line: string, at: number): boolean {
    const prefix = line.trim()
    return at + line.length === this.text.length && (KEY_START.test(prefix) || this.kind.mayBeKey(prefix))
  }

  private isEntry(line: string): boolean {
    if (ENTRY.test(line) || line.trim() === this.kind.closer) return true
    const [, key] = BARE_ENTRY.exec(line) ?? []
    return key !== undefined && this.kind.isKey(key.trim())
  }
}
