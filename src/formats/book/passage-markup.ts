import type { ProseSpan, TextBlock } from '../../domain/text/prose-markup.ts'
import type { BookPassage, BookVersion } from './passages.ts'
import { type Content, element, type XmlMarkup } from './xml.ts'

/** The level of the highest heading in a passage: a chapter has the one above. */
const FIRST_HEADING = 3

/** A passage as an element. `aside` shows a variant from which the story does not go on. */
export function passageXml(
  { index, isPlayers, versions }: BookPassage,
  aside: (label: string, shown: XmlMarkup[]) => XmlMarkup,
): XmlMarkup {
  const shown = versions.map((version) => versionMarkup(version, aside))
  const id = `passage-${index}`
  if (!isPlayers) return element('section', { id }, shown)
  return element(
    'blockquote',
    { id, ...directionOf(versions.flatMap(({ blocks }) => blocks.flatMap(linesIn))) },
    shown,
  )
}

function versionMarkup(
  { label, isLive, blocks, changes }: BookVersion,
  aside: (label: string, shown: XmlMarkup[]) => XmlMarkup,
): XmlMarkup[] {
  const shown = [...blocks.map(blockMarkup), ...changesMarkup(changes)]
  if (label === '') return shown
  if (!isLive) return [aside(label, shown)]
  return [element('p', { class: 'about' }, `${label} (current)`), ...shown]
}

function changesMarkup(changes: readonly string[]): XmlMarkup[] {
  if (changes.length === 0) return []
  const items = changes.map((change) => element('li', { dir: 'auto' }, change))
  return [element('ul', { class: 'changes' }, items)]
}

/** Blocks of prose. Each finds its own direction, so that none turns another one round. */
function blockMarkup(block: TextBlock): XmlMarkup {
  switch (block.kind) {
    case 'rule':
      return element('hr', {})
    case 'paragraph':
      return line('p', block.spans)
    case 'heading':
      return line(`h${Math.min(6, FIRST_HEADING + block.level - 1)}`, block.spans)
    case 'quote':
      return element(
        'blockquote',
        directionOf(block.paragraphs),
        block.paragraphs.map((spans) => line('p', spans)),
      )
    case 'list': {
      const items = block.items.map((spans) => line('li', spans))
      return block.first === null
        ? element('ul', directionOf(block.items), items)
        : element('ol', { start: String(block.first), ...directionOf(block.items) }, items)
    }
  }
}

/** The direction of the bar or the bullets beside lines. Each line finds its own. */
function directionOf(lines: readonly (readonly ProseSpan[])[]): { dir?: 'rtl' } {
  return isRightToLeft(
    lines
      .flat()
      .map(({ text }) => text)
      .join(' '),
  )
    ? { dir: 'rtl' }
    : {}
}

function linesIn(block: TextBlock): readonly (readonly ProseSpan[])[] {
  switch (block.kind) {
    case 'rule':
      return []
    case 'quote':
      return block.paragraphs
    case 'list':
      return block.items
    default:
      return [block.spans]
  }
}

function line(name: string, spans: readonly ProseSpan[]): XmlMarkup {
  return element(name, { dir: 'auto' }, spans.map(spanMarkup))
}

function spanMarkup({ text, bold, italic }: ProseSpan): Content {
  const lines = text.includes('\n') ? brokenLines(text) : text
  const inner = italic ? element('em', {}, lines) : lines
  return bold ? element('strong', {}, inner) : inner
}

function brokenLines(text: string): Content {
  return text.split('\n').map((line, i) => (i === 0 ? line : [element('br', {}), line]))
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** Judges by the first letter of a text, as `dir="auto"` does. */
export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? '')
}
