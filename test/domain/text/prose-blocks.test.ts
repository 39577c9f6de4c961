import { describe, expect, test } from 'bun:test'
import { blocksOf, type TextBlock } from '../../../src/domain/text/prose-markup.ts'

/** A block in one line: its kind, and its words. */
function outline(block: TextBlock): string {
  const words = (spans: readonly { text: string }[]) => spans.map(({ text }) => text).join('')
  switch (block.kind) {
    case 'rule':
      return 'rule'
    case 'paragraph':
      return words(block.spans)
    case 'heading':
      return `h${block.level}: ${words(block.spans)}`
    case 'list':
      return `${block.first ?? 'list'}: ${block.items.map(words).join(' / ')}`
    case 'quote':
      return `quote: ${block.paragraphs.map(words).join(' / ')}`
  }
}

const LONG = 'a'.repeat(300)
const CASES: [language: string, text: string, blocks: string[]][] = [
  ['en', '# One\n\nDusk.', ['h1: One', 'Dusk.']],
  ['en', '### One\nDusk.\n# no heading', ['h1: One', 'Dusk.\n# no heading']],
  ['en', '# A\n\n### B\n\n## C\n\n#### D\n\n# E', ['h1: A', 'h2: B', 'h2: C', 'h3: D', 'h1: E']],
  ['en', '#1 of many', ['#1 of many']],
  ['en', '# ', ['#']],
  ['en', '####### seven', ['####### seven']],
  ['en', 'Then\n---\n# Now', ['Then', 'rule', 'h1: Now']],
  ['en', '* * *', ['rule']],
  ['en', '_____', ['rule']],
  ['en', '-- so', ['-- so']],
  ['en', 'Take:\n- a lamp\n- oil\nand go.', ['Take:', 'list: a lamp / oil', 'and go.']],
  ['en', '- a lamp', ['- a lamp']],
  ['en', '- a lamp\n\n- oil', ['- a lamp', '- oil']],
  ['en', '- a lamp\n* oil', ['- a lamp\n* oil']],
  ['en', `- ${LONG}\n- oil`, [`- ${LONG}\n- oil`]],
  ['en', '- a\n---\n- b', ['- a', 'rule', '- b']],
  ['fr', '- Viens.\n- Non.', ['- Viens.\n- Non.']],
  ['es', '- Ven.\n- No.', ['- Ven.\n- No.']],
  ['ru', '- Иди.\n- Нет.', ['- Иди.\n- Нет.']],
  ['und', '- A.\n- B.', ['- A.\n- B.']],
  ['ja', '- 灯\n- 油', ['list: 灯 / 油']],
  ['fr', '* une lampe\n* de l’huile', ['list: une lampe / de l’huile']],
  ['fr', '• une lampe\n• de l’huile', ['list: une lampe / de l’huile']],
  ['en', '*soft*\n*loud*', ['soft\nloud']],
  ['en', '1. Go in\n2. Go on', ['1: Go in / Go on']],
  ['und', '4) Go in\n5) Go on\n6) Stay', ['4: Go in / Go on / Stay']],
  ['en', '1. Go in', ['1. Go in']],
  ['en', '7. May\n1. June', ['7. May\n1. June']],
  ['en', '1999. A year.\n2000. Another.', ['1999. A year.\n2000. Another.']],
  ['en', '> Come.\n> Soon.', ['quote: Come.\nSoon.']],
  ['en', '> Come.\n>\n> Soon.', ['quote: Come. / Soon.']],
  ['en', '> Come.\n\n> Soon.', ['quote: Come.', 'quote: Soon.']],
  ['en', '>_< and >Come.', ['>_< and >Come.']],
  ['en', 'x\n> y', ['x\n> y']],
  ['en', ' \n\n', []],
]

describe('the blocks of a passage', () => {
  for (const [language, text, blocks] of CASES)
    test(`${language}: ${JSON.stringify(text.slice(0, 60))}`, () =>
      expect(blocksOf(text, language).map(outline)).toEqual(blocks))
})
