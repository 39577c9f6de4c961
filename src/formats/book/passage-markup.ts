import type { ProseParagraph, ProseSpan } from '../../domain/text/prose-markup.ts'
import type { BookPassage, BookVersion } from './passages.ts'
import { type Content, element, type XmlMarkup } from './xml.ts'

/** A passage as an element. `aside` shows an attempt from which the story does not go on. */
export function passageXml(
  { index, isPlayers, versions }: BookPassage,
  aside: (label: string, shown: XmlMarkup[]) => XmlMarkup,
): XmlMarkup {
  const shown = versions.map((version) => versionMarkup(version, aside))
  return element(isPlayers ? 'blockquote' : 'section', { id: `passage-${index}` }, shown)
}

function versionMarkup(
  { label, isLive, blocks, changes }: BookVersion,
  aside: (label: string, shown: XmlMarkup[]) => XmlMarkup,
): XmlMarkup[] {
  const shown = [...proseMarkup(blocks), ...changesMarkup(changes)]
  if (label === '') return shown
  if (!isLive) return [aside(label, shown)]
  return [element('p', { class: 'about' }, `${label} (current)`), ...shown]
}

function changesMarkup(changes: readonly string[]): XmlMarkup[] {
  if (changes.length === 0) return []
  const items = changes.map((change) => element('li', { dir: 'auto' }, change))
  return [element('ul', { class: 'changes' }, items)]
}

/** Paragraphs and rules. Each paragraph finds its own direction, so that none turns another one round. */
function proseMarkup(blocks: readonly ProseParagraph[]): XmlMarkup[] {
  return blocks.map((block) =>
    block === null ? element('hr', {}) : element('p', { dir: 'auto' }, block.map(spanMarkup)),
  )
}

function spanMarkup({ text, bold, italic }: ProseSpan): Content {
  const lines = text.includes('\n') ? brokenLines(text) : text
  const inner = italic ? element('em', {}, lines) : lines
  return bold ? element('strong', {}, inner) : inner
}

function brokenLines(text: string): Content {
  return text.split('\n').map((line, i) => (i === 0 ? line : [element('br', {}), line]))
}
