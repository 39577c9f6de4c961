import type { Block, Span } from '../../text/prose-markup.ts'
import { type Content, el, type Markup } from '../../../formats/book/xml.ts'
import type { Passage, Telling } from '../../../formats/book/passages.ts'

/** A passage as an element. `aside` shows an attempt from which the story does not go on. */
export function passageMarkup(
  { place, isPlayers, tellings }: Passage,
  aside: (label: string, shown: Markup[]) => Markup,
): Markup {
  const shown = tellings.map((telling) => tellingMarkup(telling, aside))
  return el(isPlayers ? 'blockquote' : 'section', { id: `passage-${place}` }, shown)
}

function tellingMarkup(
  { label, isLive, blocks, changes }: Telling,
  aside: (label: string, shown: Markup[]) => Markup,
): Markup[] {
  const shown = [...proseMarkup(blocks), ...changesMarkup(changes)]
  if (label === '') return shown
  if (!isLive) return [aside(label, shown)]
  return [el('p', { class: 'about' }, `${label}, from which the story goes on`), ...shown]
}

function changesMarkup(changes: readonly string[]): Markup[] {
  if (changes.length === 0) return []
  const items = changes.map((change) => el('li', { dir: 'auto' }, change))
  return [el('ul', { class: 'changes' }, items)]
}

/** Paragraphs and rules. Each paragraph finds its own direction, so that none turns another one round. */
function proseMarkup(blocks: readonly Block[]): Markup[] {
  return blocks.map((block) =>
    block === null ? el('hr', {}) : el('p', { dir: 'auto' }, block.map(spanMarkup)),
  )
}

function spanMarkup({ text, bold, italic }: Span): Content {
  const lines = text.includes('\n') ? brokenLines(text) : text
  const inner = italic ? el('em', {}, lines) : lines
  return bold ? el('strong', {}, inner) : inner
}

function brokenLines(text: string): Content {
  return text.split('\n').map((line, i) => (i === 0 ? line : [el('br', {}), line]))
}
