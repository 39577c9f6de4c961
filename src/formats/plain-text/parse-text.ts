import { LIMITS } from '../../domain/limits.ts'
import type { ImportPlan } from '../../domain/portable/portable.ts'
import { EMPTY_SCENARIO } from '../../domain/scenario.ts'
import { cutTo } from '../../lib/text.ts'
import { planOf } from '../format.ts'
import { Fields } from '../shared/fields.ts'
import { ReceiptBuilder } from '../shared/receipt.ts'

/** A text or Markdown file: the opening of a scenario. A heading at its top is the title, instead of `title`. */
export function parseText(text: string, title: string): ImportPlan {
  const plain = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  const source = withoutHeading(plain.trim())
  const file = new Fields(new ReceiptBuilder(), source)
  const scenario = {
    ...EMPTY_SCENARIO,
    title: file.text(['heading'], 'Title', { limit: LIMITS.name }) || cutTo(title, LIMITS.name),
    prompt: file.text(['text'], 'Opening'),
    story_cards: [],
  }
  return planOf('text', file, { scenarios: [scenario] })
}

// A heading of Markdown at the top, unless it is all there is.
function withoutHeading(text: string): { heading?: string; text: string } {
  const end = text.indexOf('\n')
  if (end === -1 || !/^#[ \t]/.test(text)) return { text }
  const heading = text
    .slice(1, end)
    .replace(/(?<!#)#+$/, '')
    .trim()
  return heading === '' ? { text } : { heading, text: text.slice(end).trim() }
}
