import { stemsOf } from './content-words.ts'

/** A memory that says that something before it is no longer so. */
export interface ChangeNote {
  id: number
  text: string
  /** The index of the first action that it summarises. */
  source_start: number
  /** What was so before. */
  no_longer: string
}

/** The share of what is no longer so that a text must tell to be past, and the least number of words. */
const SHARE = 0.6
const LEAST_WORDS = 2

/**
 * The memory that says what is so now, where a text up to an index tells what was so before; null if it is still so. A change
 * may itself have been changed since.
 */
export function presentOf(
  text: string,
  index: number | null,
  changes: readonly ChangeNote[],
): ChangeNote | null {
  if (index === null) return null
  const change = changes.findLast(
    ({ source_start, no_longer }) => source_start > index && tells(text, no_longer),
  )
  return change ? (presentOf(change.text, change.source_start, changes) ?? change) : null
}

function tells(text: string, was: string): boolean {
  const told = stemsOf(text)
  const words = [...stemsOf(was)]
  const shared = words.filter((word) => told.has(word)).length
  return shared >= Math.min(LEAST_WORDS, words.length) && words.length > 0 && shared >= SHARE * words.length
}

// In any script: \W would count the letters of most as marks.
const NO_LONGER = /^[^\p{L}\p{N}\n]*no longer[^\p{L}\p{N}\n]*[:：][ *_]*(.*)$/gimu
const NOTHING = /^(nothing|none|n\/a)?[^\p{L}\p{N}]*$/iu

/** A model's note without the lines that say what is no longer so, and those. */
export function readNote(reply: string): { text: string; no_longer: string } {
  const past = [...reply.matchAll(NO_LONGER)].map(([, was = '']) => was.trim())
  const no_longer = past.filter((was) => !NOTHING.test(was)).join(' ')
  return { text: reply.replace(NO_LONGER, '').trim(), no_longer }
}
