import type { PortableAction } from '../../domain/portable/portable.ts'
import { formatLine } from '../../domain/text/player-line.ts'
import { headingMark, isRule } from '../../domain/text/prose-lines.ts'
import { isBlank } from '../../lib/text.ts'
import { makeAction } from '../shared/actions.ts'

/** Characters after which a passage ends with its paragraph. */
const ENOUGH = 800
/** Characters of the longest passage: a text without paragraphs is split at its spaces. */
const MOST = 4_000

/**
 * A long text as the passages of a story. A passage ends with a paragraph; headings, scene breaks and player lines (`> look`)
 * begin one of their own. No words are lost.
 */
export function splitStory(text: string): PortableAction[] {
  const actions = text
    .split(/^(>[^\n]*\S[^\n]*)$/m)
    .flatMap((part, at) => (at % 2 === 1 ? [playerLine(part)] : passagesOf(part).map(narration)))
  const [first, ...others] = actions
  return first?.type === 'ai'
    ? [makeAction('start', first.text), ...others]
    : [makeAction('start', ''), ...actions]
}

function playerLine(line: string): PortableAction {
  return makeAction('do', formatLine('do', line.replace(/^> ?/, '')))
}

/** Without versions, so that its heading counts as the author's and begins a chapter. */
function narration(text: string): PortableAction {
  return { ...makeAction('ai', text), variants: [] }
}

function passagesOf(text: string): string[] {
  const passages: string[] = []
  for (const paragraph of paragraphsOf(text)) {
    const last = passages.at(-1)
    const isFull = last === undefined || last.length + paragraph.length > MOST || last.length >= ENOUGH
    if (isFull || beginsPassage(paragraph)) passages.push(paragraph)
    else passages[passages.length - 1] = `${last}\n\n${paragraph}`
  }
  return passages
}

/** Without blank lines, every line is a paragraph. */
function paragraphsOf(text: string): string[] {
  const lines = text.replace(/^[ \t]+$/gm, '').trim()
  const paragraphs = lines.split(/\n{2,}/).flatMap((one) => (one.length > MOST ? one.split('\n') : [one]))
  return paragraphs
    .flatMap(inPieces)
    .filter((one) => !isBlank(one))
    .map(withHeading)
}

function inPieces(paragraph: string): string[] {
  // At spaces, as `MOST` says; a word that is longer is cut.
  return paragraph.match(/[\s\S]{1,4000}(?!\S)|\S{4000}/gu)?.map((one) => one.trim()) ?? []
}

function beginsPassage(paragraph: string): boolean {
  const [line = ''] = paragraph.split('\n', 1)
  return isRule(line) || headingMark(line) !== null
}

/** Marks a line such as "Chapter 3: The harbour" as a heading. */
function withHeading(paragraph: string): string {
  const [line = '', word = ''] = HEADING.exec(paragraph) ?? []
  const isChapter = CHAPTER_WORDS.has(word.toLowerCase()) || COUNTED.test(line)
  return isChapter && !/[.!?…,;]$/.test(line) ? `# ${paragraph}` : paragraph
}

/** A short line of its own, and its first word. */
const HEADING = /^([\p{L}\p{M}]+)[^\n]{0,80}$/u
/** Chinese, Japanese and Korean chapters have their number first. */
const COUNTED = /^第[\p{L}\p{N}]{1,8}[章回話话]|^제 ?[\p{L}\p{N}]{1,8} ?장/u
const CHAPTER_WORDS = new Set([
  ...['chapter', 'part', 'prologue', 'epilogue', 'kapitel', 'teil', 'prolog', 'epilog', 'chapitre', 'partie'],
  ...['épilogue', 'capítulo', 'parte', 'prólogo', 'epílogo', 'capitolo', 'prologo', 'epilogo', 'hoofdstuk'],
  ...['deel', 'proloog', 'epiloog', 'rozdział', 'część', 'глава', 'часть', 'пролог', 'эпилог', 'розділ'],
  ...['частина', 'епілог', 'κεφάλαιο', 'μέρος', 'πρόλογος', 'επίλογος', 'פרק', 'الفصل', 'บทที่'],
])
