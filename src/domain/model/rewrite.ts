import { foldQuote } from '../../lib/fold-text.ts'
import { jsonIn } from '../../lib/json-in-text.ts'
import { isObject } from '../../lib/objects.ts'
import { ASIDE } from '../memory.ts'
import { type Span, sentenceSpans, sentenceTexts, wholeSentences } from '../text/sentence-spans.ts'

export interface RewrittenPart {
  before: string
  part: string
  after: string
}

export const REWRITE_TASK = `${ASIDE} rewrite a part of the passage above.`

const PART = 'The part:\n\n'
const CHANGE = '\n\nThe change: '

/** Form of the answer, so that it has no comment and no neighbour of the part. */
export const REWRITE_SCHEMA = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
  additionalProperties: false,
}

/** Requests for new words in place of a part of the newest passage, the second for a model that did not answer the first. */
export function rewriteTasks({ before, part, after }: RewrittenPart, change: string): [string, string] {
  const request = `${REWRITE_TASK} ${PART}${part}${CHANGE}${change}`
  const form = 'Answer with JSON alone: {"text": ""}]'
  const neighbours = [...sentenceTexts(before).slice(-1), ...sentenceTexts(after).slice(0, 1)]
  const stays = neighbours.map((sentence) => `“${sentence}”`).join(' and ')
  return [
    `${request}\n\nWrite the part anew with this change, in the same language, tense and person. ${form}`,
    `${request}\n\nOther words than those of the part are wanted, and they must show the change.${stays && ` Do not repeat ${stays}.`} ${form}`,
  ]
}

/** The part in a request; '' if the text is not such a request. */
export function partIn(task: string): string {
  return task.split(PART)[1]?.split(CHANGE)[0] ?? ''
}

/**
 * The new text in an answer, without what models add: sentences that stand before and after the part, and quotation marks
 * around everything. Of an answer that was cut off or has no end, only the whole sentences, and only those of the first line
 * if the part is one line. '' if there is none.
 */
export function rewrittenWords(
  answer: string,
  { before, part, after }: RewrittenPart,
  isCut: boolean,
): string {
  const isLine = !part.includes('\n')
  const text = answerText(answer).trim()
  const whole = isCut ? wholeSentences(isLine ? (text.split('\n')[0] ?? '') : text) : text
  const quoted = /^["“«]([^"“”«»]*)["”»]$/.exec(whole)?.[1]
  const bare = quoted !== undefined && !/^["“«]/.test(part) ? quoted.trim() : whole
  return withoutNeighbours(bare, sentenceTexts(before), sentenceTexts(after))
}

function answerText(answer: string): string {
  const json = jsonIn(answer)
  return isObject(json) && typeof json.text === 'string' ? json.text : answer
}

/** Shorter sentences may repeat by chance. */
const MIN_REPEATED = 20

/** The text after the last sentence that precedes the part, and before the first one that follows it. */
function withoutNeighbours(text: string, before: readonly string[], after: readonly string[]): string {
  const isRepeated = (others: readonly string[]) => {
    const known = new Set(others.filter((other) => other.length >= MIN_REPEATED).map(foldQuote))
    return ({ start, end }: Span) => known.has(foldQuote(text.slice(start, end)))
  }
  const sentences = sentenceSpans(text)
  const rest = sentences.slice(sentences.findLastIndex(isRepeated(before)) + 1)
  const next = rest.findIndex(isRepeated(after))
  const own = next < 0 ? rest : rest.slice(0, next)
  return text.slice(own[0]?.start ?? 0, own.at(-1)?.end ?? 0)
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
