/** A run of text in one paragraph. */
export interface Span {
  text: string
  bold: boolean
  italic: boolean
}

/** A paragraph of a passage as its spans, or null for a rule across the page. */
export type Block = Span[] | null

const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,}|(?:\* ){2,}\*)\s*$/
const EMPHASIS = /\*\*\*([^*\n]+)\*\*\*|\*\*([^*\n]+)\*\*|\*([^*\n\s](?:[^*\n]*[^*\n\s])?)\*/g

/** A passage as paragraphs, rules, *italic* and **bold**. Everything else stands as it was written. */
export function blocksOf(text: string): Block[] {
  const blocks = text.split(/\n\s*\n/).flatMap(linesAroundRules)
  return blocks.map((block) => (RULE.test(block) ? null : spansOf(block.trim())))
}

function linesAroundRules(block: string): string[] {
  const parts: string[] = []
  let lines: string[] = []
  for (const line of block.split('\n')) {
    if (!RULE.test(line)) lines.push(line)
    else {
      parts.push(lines.join('\n'), line)
      lines = []
    }
  }
  return [...parts, lines.join('\n')].filter((part) => part.trim() !== '')
}

/** The same words without the marks of *italic* and **bold**, for a line in a list. */
export function unmarked(text: string): string {
  return text.replace(EMPHASIS, (_, both, bold, italic) => both ?? bold ?? italic)
}

// One pass without nesting: no mark can open inside another, so no element can close another's.
function spansOf(text: string): Span[] {
  const spans: Span[] = []
  let at = 0
  for (const match of text.matchAll(EMPHASIS)) {
    const [whole, both, bold, italic] = match
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
