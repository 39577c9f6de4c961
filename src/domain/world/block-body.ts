import type { Block } from './delta.ts'

/** Characters of a block that are kept. No scene needs more, and a runaway reply must not fill the memory. */
const LONGEST = 64_000
const TAIL = 200

/** How a block ended: what it holds, and what was told after it. `owesFence`: its closing fence has not been seen. */
export interface Ended {
  block: Block
  rest: string
  owesFence: boolean
}

/** A line that can stand in a block: a quoted key, a bare one, or a bracket. */
const ENTRY = /^\s*(["'“‘`][^"'”’`\n]{1,90}["'”’`]\s*[:=]|[\w.-][\w. -]{0,60}[:=]|[{}[\],]|\/\/|#|\/\*)/

/** The inside of a block while it comes in: finds its end, by its closing mark or by its last brace. */
export class BlockBody {
  private text = ''
  private tooLong = false
  private depth = 0
  /** Where the object was whole; -1 until then. */
  private wholeAt = -1
  private closes = ''
  private mayClose = false
  private isLines: boolean | null = null

  /** `closer` is the fence that opened it, `>` or `]` for a tag, '' for a bare object. */
  constructor(private readonly closer: string) {}

  /** Null while the block goes on. */
  feed(c: string): Ended | null {
    this.append(c)
    this.track(c)
    const marked = this.closes === '' ? this.beforeMark(c) : null
    if (marked !== null) return this.ended(marked, '', false)
    if (this.wholeAt < 0) return null
    return this.closer === '' ? this.ended(this.text, '', true) : this.afterObject(c)
  }

  /** The reply broke off inside the block. What cannot belong to it is prose. */
  breakOff(): Ended {
    if (this.wholeAt >= 0) return this.ended(this.text.slice(0, this.wholeAt), '', false)
    const proseAt = this.tooLong ? -1 : this.proseFrom()
    const text = proseAt === -1 ? this.text : this.text.slice(0, proseAt)
    const isEmpty = this.isLines === true && !ENTRY.test(text)
    return {
      block: { text: this.tooLong ? '' : text, cut: !isEmpty, tooLong: this.tooLong },
      rest: proseAt === -1 ? '' : this.text.slice(proseAt),
      owesFence: true,
    }
  }

  private append(c: string): void {
    this.text += c
    if (this.text.length <= LONGEST) return
    this.tooLong = true
    this.text = this.text.slice(-TAIL)
  }

  private track(c: string): void {
    if (this.isLines === null && /\S/.test(c)) this.isLines = !/[{[]/.test(c)
    if (this.isLines) return
    // A quotation mark closes a text when something else may follow it there; no text goes over the end of a line.
    if (this.mayClose && !/[ \t]/.test(c)) {
      this.mayClose = false
      if (/[,:=}\]\n/#;)`~"'“‘]/.test(c)) this.closes = ''
    }
    if (c === '\n') this.closes = ''
    if (this.closes !== '') this.mayClose ||= this.closes.includes(c) && this.text.at(-2) !== '\\'
    else if (c === '"' || c === '“') this.closes = '"”'
    else if (c === '{') this.depth++
    else if (c === '}' && this.depth > 0) this.depth--
    if (this.closes !== '' || !/[{}\]]/.test(c)) return
    const isWhole = this.depth === 0 && c !== ']' && c === '}'
    if (isWhole) this.wholeAt = this.text.length
  }

  /** The text before the closing mark, when it is complete. */
  private beforeMark(c: string): string | null {
    if (this.closer === '') return null
    const tail = this.text.slice(-40)
    const mark =
      this.closer === '>' || this.closer === ']'
        ? c === this.closer
          ? /[<[]\|?\/[^<>[\]\n]{0,30}[>\]]$/.exec(tail)?.[0]
          : undefined
        : tail.endsWith(this.closer)
          ? this.closer
          : undefined
    return mark === undefined ? null : this.text.slice(0, -mark.length)
  }

  /** The object is whole: only its closing mark, a comment or another object may follow, else the story goes on. */
  private afterObject(_: string): Ended | null {
    const tail = this.text.slice(this.wholeAt).replace(/(\/\/|#)[^\n]*\n|\/\*[\s\S]*?\*\//g, '')
    const next = tail.replace(/^[\s,;)\]}]+/, '')
    if (next === '') return this.text.length - this.wholeAt > TAIL ? this.goOn() : null
    if (/^(\/$|\/\/|\/\*|#)/.test(next) && next.length < TAIL) return null
    if (this.closer.startsWith(next) || /^[<[]\|?(\/[^<>[\]\n]{0,30})?$/.test(next)) return null
    if (/^[{["'“‘]/.test(next)) {
      this.wholeAt = -1
      return null
    }
    return this.goOn()
  }

  private goOn(): Ended {
    return this.ended(this.text.slice(0, this.wholeAt), this.text.slice(this.wholeAt), true)
  }

  private ended(text: string, rest: string, owesFence: boolean): Ended {
    return { block: { text: this.tooLong ? '' : text, cut: false, tooLong: this.tooLong }, rest, owesFence }
  }

  /** Where lines begin that are no entries: at once in a block of lines, after an empty line in an object. */
  private proseFrom(): number {
    let at = 0
    let afterBlank = this.isLines === true
    for (const line of this.text.split('\n')) {
      if (line.trim() === '') afterBlank ||= at > 0
      else if (afterBlank && !ENTRY.test(line)) return at
      at += line.length + 1
    }
    return -1
  }
}
