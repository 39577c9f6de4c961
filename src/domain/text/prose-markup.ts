import { headingMark } from './prose-lines.ts'
import { type BlockOpening, ProseReader } from './prose-reader.ts'

/** A run of text in one block. */
export interface ProseSpan {
  text: string
  bold: boolean
  italic: boolean
}

/** A block of a passage. */
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

/**
 * The blocks of a passage: paragraphs, headings, rules, lists and quotes, with *italic*, _italic_ and **bold** text.
 * Everything else stays literal.
 */
export function blocksOf(text: string, language: string): TextBlock[] {
  const reader = new ProseReader(language)
  const all: { opening: BlockOpening; text: string }[] = []
  for (const { opens, text: part } of [...reader.add(text), ...reader.end()]) {
    const last = all.at(-1)
    if (opens) all.push({ opening: opens, text: part })
    else if (last) last.text += part
  }
  const blocks: TextBlock[] = []
  for (const { opening, text } of all) {
    const last = blocks.at(-1)
    const spans = spansOf(text)
    if (opening.kind === 'item' && !opening.starts && last?.kind === 'list') last.items.push(spans)
    else if (opening.kind === 'quote' && !opening.starts && last?.kind === 'quote')
      last.paragraphs.push(spans)
    else blocks.push(blockOf(opening, spans))
  }
  return blocks
}

function blockOf(opening: BlockOpening, spans: ProseSpan[]): TextBlock {
  if (opening.kind === 'item') return { kind: 'list', first: opening.number, items: [spans] }
  if (opening.kind === 'quote') return { kind: 'quote', paragraphs: [spans] }
  return opening.kind === 'rule' ? opening : { ...opening, spans }
}

/** The words of a passage without its markup, for a line in a list. */
export function plainProse(text: string, language: string): string {
  return blocksOf(text, language).flatMap(linesOf).map(wordsOf).join(' ')
}

/** The paragraphs or items of a block. */
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
export function spansOf(text: string): ProseSpan[] {
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
