import { foldQuote } from '../../lib/fold-text.ts'
import { SentenceReader } from './sentence-reader.ts'

/** Offsets in UTF-16 units. */
export interface Span {
  start: number
  end: number
}

/** The sentences of a text, without the blanks between them. Every other character is in exactly one of them. */
export function sentenceSpans(text: string): Span[] {
  const reader = new SentenceReader()
  for (let i = 0; i < text.length; i++) reader.feed(text.charAt(i), i)
  reader.end()
  let last = 0
  return [...reader.ends, text.length].flatMap((end) => {
    const span = withoutBlanks(text, { start: last, end })
    last = end
    return span.start < span.end ? [span] : []
  })
}

export function sentenceTexts(text: string): string[] {
  return sentenceSpans(text).map(({ start, end }) => text.slice(start, end))
}

/** The sentences of a text that are in none of `others`, compared and returned folded. */
export function newSentences(text: string, others: readonly string[]): string[] {
  const known = others.map(foldQuote)
  return sentenceTexts(text)
    .map(foldQuote)
    .filter((sentence) => !known.some((one) => one.includes(sentence)))
}

const ENDED = /[.!?…。！？｡।]["'”’»)\]*_」』）》]*$/u

/** The sentences of a text that breaks off, without the one that it has not ended. */
export function wholeSentences(text: string): string {
  const last = sentenceSpans(text).findLast(({ start, end }) => ENDED.test(text.slice(start, end)))
  return text.slice(0, last?.end ?? 0).trim()
}

// A comma may also end a letter: “Yours ever,”.
const UNENDED = /[\p{L}\p{M}]$/u
/** A shorter last line without a sentence before it may be a title, a sign or a verse. */
const MIN_UNENDED = 40

/** True for a text that ends within a sentence. A script may have no sign for the end of one. */
export function breaksOff(text: string): boolean {
  const [line = ''] = text.trimEnd().split('\n').slice(-1)
  if (!UNENDED.test(line) || /^\s*[#>]/.test(line) || wholeSentences(text) === '') return false
  return line.length >= MIN_UNENDED || wholeSentences(line) !== ''
}

export function firstSentences(text: string, count: number): string {
  return text.slice(0, sentenceSpans(text)[count - 1]?.end).trim()
}

/** Some of the sentences of a text as the fewest spans: neighbours become one, with the blanks between them. */
export function joinedSentences(sentences: readonly Span[], isChosen: (index: number) => boolean): Span[] {
  const joined: Span[] = []
  sentences.forEach(({ start, end }, i) => {
    if (!isChosen(i)) return
    const last = joined.at(-1)
    if (last && i > 0 && isChosen(i - 1)) last.end = end
    else joined.push({ start, end })
  })
  return joined
}

function withoutBlanks(text: string, { start, end }: Span): Span {
  const words = text.slice(start, end)
  const blanks = words.length - words.trimStart().length
  return { start: start + blanks, end: start + Math.max(blanks, words.trimEnd().length) }
}
