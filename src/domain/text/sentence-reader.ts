const ENDS = /[.!?…]/
/** Ends a sentence even if no space follows. */
const WIDE_ENDS = /[。！？｡।]/
const CLOSERS = /["'”’»)\]*_」』）》]/
const ABBREVIATION = /^(?:Mr|Mrs|Ms|Dr|St|Prof)$/
/** After these, a sentence continues on the next line. */
const GOES_ON = /[,;:–—-]/
const LIST_MARK = /^(?:[-*•+]|\d{1,3}[.)])$/

/** Finds where sentences end and which lines are items of a list. Takes one UTF-16 unit at a time. */
export class SentenceReader {
  /** The offsets after the ends of sentences, closing quotes included. */
  readonly ends: number[] = []
  /** True until the next line begins. */
  isListItem = false
  /** The offset of a possible end of a sentence, which the next character decides; -1 for none. */
  private candidate = -1
  private isWide = false
  /** The letters before this character, up to the length of an abbreviation. */
  private letters = ''
  /** The last character that is no space, and the offset after it. */
  private last = { character: '', end: 0 }
  /** The line up to its first space; null after that. */
  private lineStart: string | null = ''

  feed(character: string, offset: number): void {
    if (this.candidate >= 0) this.decide(character, offset)
    if (character === '\n') this.endLine()
    else if (/\s/.test(character)) this.endWord()
    else this.read(character, offset)
  }

  end(): void {
    if (this.candidate >= 0) this.addEnd(this.candidate)
  }

  private decide(character: string, offset: number): void {
    if (CLOSERS.test(character)) {
      this.candidate = offset + 1
      return
    }
    const isNumber = this.lineStart !== null && LIST_MARK.test(this.lineStart)
    if (this.isWide || (/\s/.test(character) && !isNumber)) this.addEnd(this.candidate)
    this.candidate = -1
  }

  private read(character: string, offset: number): void {
    if (this.lineStart === '') this.isListItem = false
    if (this.lineStart !== null) this.lineStart = (this.lineStart + character).slice(0, 5)
    this.last = { character, end: offset + 1 }
    this.isWide = WIDE_ENDS.test(character) || (this.isWide && this.candidate >= 0)
    const isAbbreviation = character === '.' && ABBREVIATION.test(this.letters)
    if (this.isWide || (ENDS.test(character) && !isAbbreviation)) this.candidate = offset + 1
    this.letters = /\p{L}/u.test(character) ? (this.letters + character).slice(-5) : ''
  }

  private endWord(): void {
    this.letters = ''
    if (this.lineStart === '' || this.lineStart === null) return
    this.isListItem = LIST_MARK.test(this.lineStart)
    this.lineStart = null
  }

  private endLine(): void {
    this.letters = ''
    const { character, end } = this.last
    if (!GOES_ON.test(character)) this.addEnd(end)
    this.lineStart = ''
  }

  private addEnd(end: number): void {
    if (end > (this.ends.at(-1) ?? 0)) this.ends.push(end)
  }
}
