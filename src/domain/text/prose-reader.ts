import {
  follows,
  headingMark,
  type ItemMark,
  isRule,
  isUndecided,
  itemMark,
  LONGEST_LINE,
  quoteMark,
} from './prose-lines.ts'

/** What begins: a paragraph, a heading, a rule, an item of a list or a paragraph of a quote. */
export type BlockOpening =
  | { kind: 'paragraph' }
  /** From 1; no level is left out on the way down. */
  | { kind: 'heading'; level: number }
  | { kind: 'rule' }
  /** `number` is null in a list with signs; `starts` says that the list begins with it. */
  | { kind: 'item'; number: number | null; starts: boolean }
  | { kind: 'quote'; starts: boolean }

/** Text, and what it opens; null where it goes on with what is open. */
interface ProsePart {
  opens: BlockOpening | null
  text: string
}

/** What has arrived after the beginning of a line. */
interface AfterLine {
  /** The line is complete. */
  isWhole: boolean
  /** The next line, as far as it is known; null without one. */
  next: string | null
  /** The text is complete. */
  isEnd: boolean
}

/** Characters of the next line that decide whether it continues a list. */
const LOOKED_AT = 2 * LONGEST_LINE

/**
 * Reads the blocks of a passage as it streams in: paragraphs, headings, rules, lists and quotes of Markdown. Text whose
 * block is not yet known is held back, so that nothing has to be taken back. Lines are trimmed. A heading or a quote stands
 * at the beginning of a block; a list has two lines or more.
 */
export class ProseReader {
  private readonly language: string
  private pending = ''
  /** What a further line may go on with. */
  private open: 'none' | 'paragraph' | 'list' | 'quote' = 'none'
  /** The last item of the open list. */
  private item: ItemMark | null = null
  /** The kind of this line is known. */
  private isInLine = false
  /** A line of a quote without words stands before this one. */
  private isNewQuoted = false
  /** The signs of the headings above this place. */
  private headings: number[] = []

  /** `language` is a BCP 47 tag: in most a dash at the beginning of a line is speech. */
  constructor(language: string) {
    this.language = language
  }

  add(text: string): ProsePart[] {
    return this.read(text, false)
  }

  /** What was held back. */
  end(): ProsePart[] {
    return this.read('', true)
  }

  private read(text: string, isEnd: boolean): ProsePart[] {
    const all = this.pending + text
    const parts: ProsePart[] = []
    let at = 0
    while (at < all.length) {
      const found = all.indexOf('\n', at)
      const isWhole = found >= 0 || isEnd
      const end = found < 0 ? all.length : found
      const raw = all.slice(at, end)
      if (this.isInLine) {
        // Spaces at the end of a line are not part of its text.
        const words = isWhole ? raw.trimEnd() : raw.slice(0, raw.trimEnd().length)
        if (words !== '') parts.push({ opens: null, text: words })
        if (!isWhole) {
          at += words.length
          break
        }
      } else {
        const line = raw.trimStart()
        const start = end - line.length
        if (!isWhole && isUndecided(line)) {
          at = start
          break
        }
        const next = found < 0 ? null : all.slice(found + 1, found + 1 + LOOKED_AT)
        const part = this.lineStart(line, { isWhole, next, isEnd })
        if (part === null) break
        if (part.opens !== null || part.text !== '') parts.push(part)
        if (!isWhole) {
          this.isInLine = true
          at = end - (line.length - line.trimEnd().length)
          break
        }
      }
      this.isInLine = false
      at = end + 1
    }
    this.pending = all.slice(at)
    return parts
  }

  /** A line from its beginning; null where what follows decides. */
  private lineStart(line: string, after: AfterLine): ProsePart | null {
    const words = line.trimEnd()
    if (words === '') {
      this.open = 'none'
      return { opens: null, text: '' }
    }
    if (after.isWhole && isRule(line)) {
      this.open = 'none'
      return { opens: { kind: 'rule' }, text: '' }
    }
    return this.heading(words) ?? this.quoted(words) ?? this.listItem(line, after)
  }

  private heading(words: string): ProsePart | null {
    const mark = this.open === 'none' ? headingMark(words) : null
    if (!mark) return null
    this.headings = [...this.headings.filter((signs) => signs < mark.signs), mark.signs]
    return { opens: { kind: 'heading', level: this.headings.length }, text: words.slice(mark.length) }
  }

  private quoted(words: string): ProsePart | null {
    if (this.open === 'quote' && words === '>') {
      this.isNewQuoted = true
      return { opens: null, text: '' }
    }
    const length = this.open === 'none' || this.open === 'quote' ? quoteMark(words) : 0
    if (length === 0) return null
    const starts = this.open !== 'quote'
    const opens = starts || this.isNewQuoted
    this.isNewQuoted = false
    this.open = 'quote'
    const text = words.slice(length)
    return opens ? { opens: { kind: 'quote', starts }, text } : { opens: null, text: `\n${text}` }
  }

  private listItem(line: string, { isWhole, next, isEnd }: AfterLine): ProsePart | null {
    const words = line.trimEnd()
    const mark = itemMark(words, this.language)
    if (!mark) return this.plain(words)
    const goesOn = this.open === 'list' && this.item !== null && follows(mark, this.item)
    if (!goesOn) {
      if (line.length > LONGEST_LINE) return this.plain(words)
      if (!isWhole) return null
      const isFollowed = this.isFollowed(mark, next, isEnd)
      if (isFollowed === null) return null
      if (!isFollowed) return this.plain(words)
    }
    this.open = 'list'
    this.item = mark
    return { opens: { kind: 'item', number: mark.number, starts: !goesOn }, text: words.slice(mark.length) }
  }

  /** Whether the next line goes on with a list that begins here; null where its beginning does not tell yet. */
  private isFollowed(mark: ItemMark, next: string | null, isEnd: boolean): boolean | null {
    if (next === null) return false
    const [line = ''] = next.split('\n', 1)
    const words = line.trim()
    const isUnfinished = !isEnd && next === line && line.length < LOOKED_AT
    if (isUnfinished && isUndecided(line.trimStart())) return null
    return !isRule(words) && follows(itemMark(words, this.language), mark)
  }

  private plain(words: string): ProsePart {
    const opens: BlockOpening | null = this.open === 'paragraph' ? null : { kind: 'paragraph' }
    this.open = 'paragraph'
    return { opens, text: opens ? words : `\n${words}` }
  }
}
