import type { ActionView } from '../../domain/action.ts'

/** Words read per minute: Brysbaert 2019, "How many words do we read per minute?", 238 for non-fiction, 260 for fiction. */
const WORDS_A_MINUTE = 250

export interface StoryLength {
  words: number
  minutes: number
  /** True if all passages were counted. */
  exact: boolean
}

/** Estimated from the actions of one page. */
export function lengthFrom(actions: readonly Pick<ActionView, 'text'>[], total: number): StoryLength {
  const counted = actions.reduce((sum, { text }) => sum + wordsIn(text), 0)
  const exact = actions.length >= total
  const words = exact || actions.length === 0 ? counted : rounded((counted / actions.length) * total)
  return { words, minutes: Math.max(1, Math.round(words / WORDS_A_MINUTE)), exact }
}

/** Words: separated by white space, or found by a dictionary in a script that does not separate them. */
export function wordsIn(text: string): number {
  if (!UNSPACED.test(text)) return text.split(/\s+/u).filter(Boolean).length
  const sample = text.slice(0, SEGMENTED)
  let words = 0
  for (const { isWordLike } of SEGMENTER.segment(sample)) if (isWordLike) words++
  return Math.round((words / sample.length) * text.length)
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' })

/** Characters that are looked up in the dictionary: those of an ordinary passage, in less than a millisecond. */
const SEGMENTED = 1_000

/** To two significant figures, so that an estimate does not look exact. */
function rounded(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1)
  return Math.round(value / step) * step
}
