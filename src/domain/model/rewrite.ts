import { ASIDE } from '../memory.ts'
import { type Span, sentenceTexts, wholeSentences } from '../text/sentence-spans.ts'

/** A part of a passage to rewrite, with the text around it, which stays. */
export interface RewrittenPart {
  before: string
  part: string
  after: string
}

/** Opens the request for new words. */
export const REWRITE_TASK = `${ASIDE} rewrite a part of the passage above.`

const PART = 'The part is:\n\n'
const HOW = '\n\nHow it is to be rewritten: '

/** The request for new words in place of a part of the newest passage. `how` is what the player wants. */
export function rewriteTask({ before, part, after }: RewrittenPart, how: string): string {
  const around = [
    ...sentenceTexts(before)
      .slice(-1)
      .map((sentence) => `Before it stands, and stays: “${sentence}”`),
    ...sentenceTexts(after)
      .slice(0, 1)
      .map((sentence) => `After it stands, and stays: “${sentence}”`),
  ]
  const context = around.length === 0 ? '' : `\n\n${around.join('\n')}`
  return `${REWRITE_TASK} ${PART}${part}${HOW}${how}${context}\n\nWrite only what is to stand in place of the part, in the language, tense and person of the passage. Repeat nothing of what stays. Write no heading, no block and no comment.]`
}

/** The part in a request; '' if the text is not such a request. */
export function partIn(task: string): string {
  return task.split(PART)[1]?.split(HOW)[0] ?? ''
}

/**
 * The new text in an answer, without what models add: the text before and after the part, and quotation marks around
 * everything. Of an answer that was cut off or has no end, only the whole sentences, and only those of the first line if
 * the part is one line. '' if there is none.
 */
export function rewrittenWords(
  answer: string,
  { before, part, after }: RewrittenPart,
  isCut: boolean,
): string {
  const isLine = !part.includes('\n')
  const text = answer.trim()
  const whole = isCut ? wholeSentences(isLine ? (text.split('\n')[0] ?? '') : text) : text
  const quoted = /^["“«]([^"“”«»]*)["”»]$/.exec(whole)?.[1]
  const bare = quoted !== undefined && !/^["“«]/.test(part) ? quoted.trim() : whole
  const opened = startAfter(bare, sentenceTexts(before).at(-1))
  return endBefore(opened, sentenceTexts(after)[0]).trim()
}

/** The positions of some parts of a text; null if one of them does not occur exactly once, or lies within another. */
export function findParts(text: string, parts: readonly string[]): Span[] | null {
  const spans = parts
    .map((part) => ({ start: text.indexOf(part), last: text.lastIndexOf(part), length: part.length }))
    .toSorted((a, b) => a.start - b.start)
  const isClear = spans.every(
    ({ start, last }, i) => start >= 0 && start === last && start >= endOf(spans[i - 1]),
  )
  return isClear ? spans.map((span) => ({ start: span.start, end: endOf(span) })) : null
}

function endOf(span: { start: number; length: number } | undefined): number {
  return span ? span.start + span.length : 0
}

/** A text with some of its parts replaced; the parts are in order, and every other character stays. */
export function withParts(text: string, parts: readonly { span: Span; words: string }[]): string {
  let at = 0
  let made = ''
  for (const { span, words } of parts) {
    made += text.slice(at, span.start) + words
    at = span.end
  }
  return made + text.slice(at)
}

/** Shorter sentences may repeat by chance. */
const MIN_REPEATED = 20

function startAfter(text: string, sentence = ''): string {
  const found = sentence.length < MIN_REPEATED ? -1 : text.indexOf(sentence)
  return found < 0 ? text : text.slice(found + sentence.length)
}

function endBefore(text: string, sentence = ''): string {
  const found = sentence.length < MIN_REPEATED ? -1 : text.indexOf(sentence)
  return found < 0 ? text : text.slice(0, found)
}
