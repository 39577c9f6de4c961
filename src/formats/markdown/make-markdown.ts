import type { Lane } from '../../domain/family/branch-map.ts'
import type { PortableActions, PortableAdventure } from '../../domain/portable/portable.ts'
import type { ProseSpan, TextBlock } from '../../domain/text/prose-markup.ts'
import { type BookChapter, chaptersIn, headedPassages, lanesIn } from '../book/chapters.ts'
import { contentsOf } from '../book/contents.ts'
import { withoutControlCharacters } from '../book/control-characters.ts'
import { bookLanguage } from '../book/language.ts'
import { type BookOptions, type BookPassage, type BookVersion, titleOf } from '../book/passages.ts'

/** A story as Markdown (CommonMark): its words stand there as they were written, whatever marks they hold. */
export function* makeMarkdown(
  adventure: PortableAdventure<PortableActions>,
  options: BookOptions,
  all: readonly BookChapter[],
): Generator<string> {
  yield `# ${literal(titleOf(adventure))}`
  const typed = { ...options, typography: false }
  const language = bookLanguage(adventure, typed)
  const chapters = chaptersIn(all, typed, language)
  if (lanesIn(chapters).length > 0) yield `\n\n${contents(contentsOf(chapters))}`
  for (const { chapter, passage } of headedPassages(adventure, typed, { language, chapters })) {
    if (chapter) yield `\n\n${heading(chapter)}`
    if (passage) yield `\n\n${passageText(passage)}`
  }
  yield '\n'
}

/** The branches as nested lists, each with a link to where it begins. */
function contents(items: ReturnType<typeof contentsOf>, indent = ''): string {
  return items
    .map(({ chapter, inner }) => {
      const name = literal(chapter.name)
      const line = `${indent}- ${chapter.branch ? `[${name}](#${anchorOf(chapter.branch.lane)})` : name}`
      return inner.length === 0 ? line : `${line}\n${contents(inner, `${indent}  `)}`
    })
    .join('\n')
}

function anchorOf({ row }: Lane): string {
  return `branch-${row + 1}`
}

function heading({ name, branch }: BookChapter): string {
  const words = `## ${headingWords(literal(name))}`
  if (branch === undefined) return words
  const origin = branch.origin === '' ? '' : `\n\n*${literal(branch.origin)}*`
  return `<a id="${anchorOf(branch.lane)}"></a>\n\n${words}${origin}`
}

function passageText({ isPlayers, versions }: BookPassage): string {
  const texts = versions.map((version) => {
    const text = versionText(version)
    return isPlayers || !version.isLive ? quoted(text) : text
  })
  return texts.join('\n\n')
}

function quoted(text: string): string {
  return text.replace(/^/gm, '> ').replace(/(?<! ) +$/gm, '')
}

function versionText({ label, isLive, blocks, changes }: BookVersion): string {
  const heading = label === '' ? [] : [`*${label}${isLive ? ' (current)' : ''}:*`]
  const list = changes.map((change) => `- ${literal(change)}`).join('\n')
  return [...heading, ...blocks.map(blockText), ...(list === '' ? [] : [list])].join('\n\n')
}

function blockText(block: TextBlock): string {
  switch (block.kind) {
    case 'rule':
      return '* * *'
    case 'paragraph':
      return lines(block.spans)
    case 'heading':
      return `${'#'.repeat(Math.min(6, FIRST_HEADING + block.level - 1))} ${headingWords(lines(block.spans))}`
    case 'quote':
      return quoted(block.paragraphs.map(lines).join('\n\n'))
    case 'list':
      return block.items
        .map((spans, i) => `${block.first === null ? '-' : `${block.first + i}.`} ${lines(spans)}`)
        .join('\n')
  }
}

/** The level of the highest heading in a passage: a chapter has the one above. */
const FIRST_HEADING = 3

// Signs at its end would be none of its words.
function headingWords(words: string): string {
  return words.replace(/(?<!\\)#/g, '\\#')
}

// A backslash keeps the end of a line; what would open a list or a heading there is no longer one.
function lines(spans: readonly ProseSpan[]): string {
  return spans
    .map(spanText)
    .join('')
    .split('\n')
    .map((line) => plainStart(line.trim()))
    .join('\\\n')
}

function spanText({ text, bold, italic }: ProseSpan): string {
  const marks = `${bold ? '**' : ''}${italic ? '*' : ''}`
  if (marks === '') return literal(text)
  // A mark beside a space is none.
  const inner = text.trim()
  const [before = '', after = ''] = inner === '' ? [text] : text.split(inner)
  return inner === '' ? text : `${before}${marks}${literal(inner)}${[...marks].reverse().join('')}${after}`
}

/** Text in which no character means anything to Markdown, but for the beginning of a line. */
function literal(text: string): string {
  return withoutControlCharacters(text).replace(/[\\`*_[\]<>~|]|&(?=#?\w+;)/g, '\\$&')
}

function plainStart(line: string): string {
  return line.replace(/^([#+=-])/, '\\$1').replace(/^(\d+)([.)])/, '$1\\$2')
}
