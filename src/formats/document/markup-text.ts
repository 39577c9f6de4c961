import { Parser } from 'htmlparser2'

type Attributes = Readonly<Record<string, string>>

/** The elements of a kind of document that matter for its text. */
export interface Dialect {
  isXml: boolean
  /** Elements that are paragraphs of their own. */
  blocks: ReadonlySet<string>
  /** Texts in place of empty elements. */
  signs: Readonly<Record<string, string>>
  /** Elements whose text is not a part of the story. */
  skipped: ReadonlySet<string>
  /** The only elements that hold text; all others do too if absent. */
  texts?: ReadonlySet<string>
  /** The level of the heading that an element makes its paragraph; 0 for others. */
  headingLevel: (name: string, attributes: Attributes) => number
}

/** A page of the web, or a chapter of an e-book. */
export const HTML: Dialect = {
  isXml: false,
  blocks: new Set(
    'address article aside blockquote body dd div dt figcaption footer h1 h2 h3 h4 h5 h6 header li main nav p pre section td th tr'.split(
      ' ',
    ),
  ),
  signs: { br: '\n', hr: '\n\n***\n\n' },
  skipped: new Set(['head', 'script', 'style', 'template', 'title', 'svg', 'rt', 'rp']),
  headingLevel: (name) => Number(/^h([1-6])$/.exec(name)?.[1] ?? 0),
}

/** WordprocessingML, of .docx files (ECMA-376, part 1). */
export const WORD: Dialect = {
  isXml: true,
  blocks: new Set(['w:p']),
  signs: { 'w:br': '\n', 'w:cr': '\n', 'w:tab': ' ' },
  skipped: new Set(['w:del', 'mc:Fallback']),
  texts: new Set(['w:t']),
  headingLevel: (name, { 'w:val': value = '' }) => {
    if (name === 'w:outlineLvl') return Number(value) + 1
    // The names of the styles depend on the language of the program.
    const [, digit] = (name === 'w:pStyle' && /^(?!TOC)\D{2,20}([1-6])$/i.exec(value)) || []
    return name === 'w:pStyle' && /^title$/i.test(value) ? 1 : Number(digit ?? 0)
  },
}

/** OpenDocument text, of .odt files (OASIS OpenDocument 1.3, part 3). */
export const OPEN_DOCUMENT: Dialect = {
  isXml: true,
  blocks: new Set(['text:p', 'text:h']),
  signs: { 'text:line-break': '\n', 'text:tab': ' ', 'text:s': ' ' },
  skipped: new Set(['office:annotation', 'text:tracked-changes', 'text:note-citation']),
  headingLevel: (name, attributes) => (name === 'text:h' ? Number(attributes['text:outline-level'] ?? 1) : 0),
}

/** The text of a document: paragraphs with blank lines between them, headings with the marks of Markdown. */
export function textOf(markup: string, dialect: Dialect): string {
  const paragraphs: string[] = []
  const open: string[] = []
  let text = ''
  let level = 0
  let skipping = 0
  const endParagraph = () => {
    const written = text
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .trim()
    if (written !== '')
      paragraphs.push(
        level > 0 ? `${'#'.repeat(Math.min(level, 6))} ${written.replace(/\n+/g, ' ')}` : written,
      )
    text = ''
    level = 0
  }
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        open.push(name)
        if (dialect.skipped.has(name)) skipping++
        if (dialect.blocks.has(name)) endParagraph()
        level ||= dialect.headingLevel(name, attributes)
        if (skipping === 0) text += dialect.signs[name] ?? ''
      },
      ontext: (part) => {
        const isText = dialect.texts?.has(open.at(-1) ?? '') ?? true
        // Line ends of the file are spaces; those of the text are elements.
        if (isText && skipping === 0) text += part.replace(/\s+/g, ' ')
      },
      onclosetag: (name) => {
        open.pop()
        if (dialect.skipped.has(name)) skipping--
        if (dialect.blocks.has(name)) endParagraph()
      },
    },
    { xmlMode: dialect.isXml, decodeEntities: true },
  )
  parser.end(markup)
  endParagraph()
  return paragraphs.join('\n\n')
}
