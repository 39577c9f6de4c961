/** A run of text in one paragraph. */
export interface ProseSpan {
  text: string
  bold: boolean
  italic: boolean
}

/** The spans of a paragraph, or null for a horizontal rule. */
export type ProseParagraph = ProseSpan[] | null

const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,}|(?:\* ){2,}\*)\s*$/
const EMPHASIS =
  /\*\*\*([^*\n]+)\*\*\*|\*\*([^*\n]+)\*\*|\*([^*\n\s](?:[^*\n]*[^*\n\s])?)\*|(?<![\p{L}\p{N}_])_([^_\n\s](?:[^_\n]*[^_\n\s])?)_(?![\p{L}\p{N}_])/gu
/** A paragraph that is a heading: it is shown in bold. */
const HEADING = /^#{1,6} +(\S[^\n]*)$/

/**
 * Parses a passage into paragraphs, rules, *italic*, _italic_ and **bold**, and headings, which are bold paragraphs.
 * Everything else stays literal: a dash at the beginning of a line is more often speech than a list.
 */
export function paragraphsOf(text: string): ProseParagraph[] {
  const blocks = text.split(/\n\s*\n/).flatMap(linesAroundRules)
  return blocks.map((block) => (RULE.test(block) ? null : paragraphOf(block.trim())))
}

function paragraphOf(block: string): ProseSpan[] {
  const [, heading] = HEADING.exec(block) ?? []
  if (heading === undefined) return spansOf(block)
  return spansOf(heading).map((span) => ({ ...span, bold: true }))
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

/** The text without its *italic* and **bold** markup, for a line in a list. */
export function withoutMarkup(text: string): string {
  return text.replace(EMPHASIS, (_, both, bold, italic, underlined) => both ?? bold ?? italic ?? underlined)
}

// One pass without nesting, so that elements cannot overlap.
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
