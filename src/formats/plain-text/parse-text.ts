import { LIMITS } from '../../domain/limits.ts'
import type { ImportPlan } from '../../domain/portable/portable.ts'
import { EMPTY_SCENARIO } from '../../domain/scenario.ts'
import { cutTo } from '../../lib/text.ts'
import { planOf } from '../format.ts'
import { MAX_ACTIONS } from '../import-limits.ts'
import { emptyAdventure } from '../shared/empty-adventure.ts'
import { Fields } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { ReceiptBuilder } from '../shared/receipt.ts'
import { splitStory } from './split-story.ts'

/**
 * A text or Markdown file. A long one, or one with lines of a player, is a story; the others open a scenario. The other form
 * is an alternative. A heading at the top is the title, instead of `title`. Throws import_refused.
 */
export function parseText(text: string, title: string): ImportPlan {
  const plain = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  const source = withoutHeading(plain.trim())
  const file = new Fields(new ReceiptBuilder(), source)
  const named = file.text(['heading'], 'Title', { limit: LIMITS.name }) || cutTo(title, LIMITS.name)
  const actions = splitStory(source.text)
  if (actions.length > MAX_ACTIONS) throw importRefused(`This text has more than ${MAX_ACTIONS} passages.`)
  const isStory = source.text.length > LIMITS.prose || actions.some(({ type }) => type === 'do')
  const prompt = file.text(['text'], 'Opening')
  if (isStory) file.came('Passages', 'text')
  return {
    ...planOf('text', file, {
      scenarios: [{ ...EMPTY_SCENARIO, title: named, prompt, story_cards: [] }],
      adventures: [{ ...emptyAdventure(named), actions }],
    }),
    alternative: isStory ? 'scenarios' : 'adventures',
  }
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
