import type { ActionView } from '../../domain/action.ts'

/** Words read per minute: Brysbaert 2019, "How many words do we read per minute?", 238 for non-fiction, 260 for fiction. */
const WORDS_A_MINUTE = 250

/** The length of a story, estimated from one page of it. */
export interface StoryLength {
  words: number
  minutes: number
  /** Whether all passages were counted. */
  exact: boolean
}

/** The length of a story of so many actions, from those of one page. */
export function lengthFrom(actions: readonly Pick<ActionView, 'text'>[], total: number): StoryLength {
  const counted = actions.reduce((sum, { text }) => sum + wordsIn(text), 0)
  const exact = actions.length >= total
  const words = exact || actions.length === 0 ? counted : rounded((counted / actions.length) * total)
  return { words, minutes: Math.max(1, Math.round(words / WORDS_A_MINUTE)), exact }
}

/** Words, separated by white space. */
export function wordsIn(text: string): number {
  return text.split(/\s+/u).filter(Boolean).length
}

/** To two significant figures, so that an estimate does not look exact. */
function rounded(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1)
  return Math.round(value / step) * step
}
