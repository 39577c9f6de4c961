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

export interface ProseSpan {
  text: string
  bold: boolean
  italic: boolean
}

export type TextBlock =
  | { kind: 'paragraph'; spans: ProseSpan[] }
  /** From 1; no level is left out on the way down. */
  | { kind: 'heading'; level: number; spans: ProseSpan[] }
  | { kind: 'rule' }
  /** `first` is the number of the first item; null in a list with signs. */
  | { kind: 'list'; first: number | null; items: ProseSpan[][] }
  | { kind: 'quote'; paragraphs: ProseSpan[][] }

const EMPHASIS =
  /\*\*\*([^*\n]+)\*\*\*|\*\*([^*\n]+)\*\*|\*([^*\n\s](?:[^*\n]*[^*\n\s])?)\*|(?<![\p{L}\p{N}_])_([^_\n\s](?:[^_\n]*[^_\n\s])?)_(?![\p{L}\p{N}_])/gu

/** A block that may go on: its paragraphs or items. */
interface OpenBlock {
  kind: 'paragraph' | 'heading' | 'list' | 'quote'
  /** The level of a heading, or the number of the first item. */
  number: number | null
  texts: string[]
}

/**
 * The blocks of a passage: paragraphs, headings, rules, lists and quotes, with *italic*, _italic_ and **bold** text.
 * Everything else stays literal. Lines are trimmed. A heading or a quote stands at the beginning of a block; a list has two
 * lines or more.
 */
export function blocksOf(text: string, language: string): TextBlock[] {
  const reader = new BlockReader(
    text.split('\n').map((line) => line.trim()),
    language,
  )
  return reader.blocks.map((block) => (block === 'rule' ? { kind: block } : blockOf(block)))
}

class BlockReader {
  readonly blocks: (OpenBlock | 'rule')[] = []
  private open: OpenBlock | null = null
  /** The last item of the open list. */
  private item: ItemMark | null = null
  /** The signs of the headings above this place. */
  private headings: number[] = []

  constructor(
    lines: readonly string[],
    private readonly language: string,
  ) {
    for (const [i, line] of lines.entries()) this.read(line, lines[i + 1] ?? '')
  }

  private read(line: string, next: string): void {
    if (line === '') this.open = null
    else if (isRule(line)) {
      this.open = null
      this.blocks.push('rule')
    } else if (!this.heading(line) && !this.quoted(line) && !this.listItem(line, next))
      this.addLine('paragraph', line)
  }

  private heading(line: string): boolean {
    const mark = this.open === null ? headingMark(line) : null
    if (mark === null) return false
    this.headings = [...this.headings.filter((signs) => signs < mark.signs), mark.signs]
    this.begin('heading', this.headings.length).texts.push(line.slice(mark.length))
    this.open = null
    return true
  }

  private quoted(line: string): boolean {
    const isInQuote = this.open?.kind === 'quote'
    const length = isInQuote || this.open === null ? quoteMark(line) : 0
    if (isInQuote && line === '>') this.open?.texts.push('')
    else if (length > 0) this.addLine('quote', line.slice(length))
    else return false
    return true
  }

  private listItem(line: string, next: string): boolean {
    const mark = itemMark(line, this.language)
    if (mark === null) return false
    if (this.open?.kind !== 'list' || this.item === null || !follows(mark, this.item)) {
      const isFollowed = !isRule(next) && follows(itemMark(next, this.language), mark)
      if (!isFollowed || line.length > LONGEST_LINE) return false
      this.begin('list', mark.number)
    }
    this.open?.texts.push(line.slice(mark.length))
    this.item = mark
    return true
  }

  /** Adds a line to the last paragraph of the open block of a kind. */
  private addLine(kind: OpenBlock['kind'], line: string): void {
    const { texts } = this.open?.kind === kind ? this.open : this.begin(kind)
    const before = texts.pop() ?? ''
    texts.push(before === '' ? line : `${before}\n${line}`)
  }

  private begin(kind: OpenBlock['kind'], number: number | null = null): OpenBlock {
    const block = { kind, number, texts: [] }
    this.blocks.push(block)
    this.open = block
    return block
  }
}

function blockOf({ kind, number, texts }: OpenBlock): TextBlock {
  const parts = texts.filter((text) => text !== '').map(spansOf)
  if (kind === 'list') return { kind, first: number, items: parts }
  if (kind === 'quote') return { kind, paragraphs: parts }
  const [spans = []] = parts
  return kind === 'paragraph' ? { kind, spans } : { kind, level: number ?? 1, spans }
}

/**
 * A passage that streams in, as it can be shown: without last lines whose kind only the next characters decide, and with the
 * open emphasis of its last line closed.
 */
export function proseSoFar(text: string, language: string): string {
  const lines = text.split('\n')
  const lineAt = (place: number) => lines.at(place)?.trim() ?? ''
  if (isUndecided(lineAt(-1))) lines.pop()
  const before = itemMark(lineAt(-2), language)
  const item = lineAt(-1).length > LONGEST_LINE ? null : itemMark(lineAt(-1), language)
  const last = lines.pop() ?? ''
  const mayBeginList = item !== null && !(before && follows(item, before))
  return [...lines, mayBeginList ? '' : withEmphasisClosed(last)].join('\n')
}

function withEmphasisClosed(line: string): string {
  // More marks may follow.
  const shown = line.replace(/(?<!\*)\*+$/, '').trimEnd()
  const { text = '', bold, italic } = spansOf(shown).at(-1) ?? {}
  const [, marks = '', words = ''] = /(?<!\*)(\*{1,3})([^*]+)$/.exec(text) ?? []
  const isOpen = !bold && !italic && !(marks === '*' && /^\s/.test(words))
  return isOpen ? shown + marks : shown
}

/** The words of a passage without its markup, for a line in a list. */
export function plainProse(text: string, language: string): string {
  return blocksOf(text, language).flatMap(linesOf).map(wordsOf).join(' ')
}

function linesOf(block: TextBlock): ProseSpan[][] {
  if (block.kind === 'rule') return []
  if (block.kind === 'list') return block.items
  return block.kind === 'quote' ? block.paragraphs : [block.spans]
}

function wordsOf(spans: readonly ProseSpan[]): string {
  return spans.map(({ text }) => text).join('')
}

/** The text without its *italic* and **bold** markup and the signs of a heading before it, for a line in a list. */
export function withoutMarkup(text: string): string {
  return text
    .slice(headingMark(text)?.length ?? 0)
    .replace(EMPHASIS, (_, both, bold, italic, underlined) => both ?? bold ?? italic ?? underlined)
}

/** The runs of one block. One pass without nesting, so that elements cannot overlap. */
function spansOf(text: string): ProseSpan[] {
  const spans: ProseSpan[] = []
  let at = 0
  for (const match of text.matchAll(EMPHASIS)) {
    const [whole, both, bold, starred, underlined] = match
    const italic = starred ?? underlined
    spans.push({ text: text.slice(at, match.index), bold: false, italic: false })
    spans.push({
      text: both ?? bold ?? italic ?? '',
      bold: italic === undefined,
      italic: bold === undefined,
    })
    at = match.index + whole.length
  }
  return [...spans, { text: text.slice(at), bold: false, italic: false }].filter((span) => span.text !== '')
}

/** Characters of a paragraph that fill the two lines beside a drop cap, however long the reader's lines are. */
const TWO_LINES = 200

/** A capital, and a quotation mark before it, in a script whose letters stand apart. */
const CAPITAL = /^["“„«‘']?(?=\p{Lu})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u

/** True if the first paragraph is long enough, and its letters do not join. */
export function takesDropCap(text: string): boolean {
  const [first = ''] = text.trim().split(/\n\s*\n/, 1)
  return first.length >= TWO_LINES && CAPITAL.test(withoutMarkup(first))
}
