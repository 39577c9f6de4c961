import { foldedWords } from '../search/words.ts'
import { hasTerm, type LineTerm, lineTerms, sentencesOf } from './line-terms.ts'

export interface ChangeNote {
  id: number
  text: string
  /** The index of the first action that it summarizes. */
  source_start: number
  /** The former fact. */
  no_longer: string
}

/** A change with the words of what is so now and of what was so before, folded for search. */
export interface Change extends ChangeNote {
  is: readonly string[]
  was: readonly string[]
}

export function changeOf(note: ChangeNote): Change {
  return { ...note, is: foldedWords(note.text), was: foldedWords(note.no_longer) }
}

/** The share of a sentence that must be about a change to be past, and the least number of words. */
const SHARE = 0.6
const MIN_WORDS = 2

/** Null if a text is still so. A change may itself have been changed since. */
export function presentOf(text: string, index: number | null, changes: readonly Change[]): Change | null {
  if (index === null) return null
  const sentences = sentencesOf(text).map(lineTerms)
  const change = changes.findLast(
    (one) => one.source_start > index && sentences.some((terms) => isPast(terms, one)),
  )
  return change ? (presentOf(change.text, change.source_start, changes) ?? change) : null
}

// A model says what has ended in words of its own. What it shares with the original sentence are names and things, and
// another true sentence about these has more words that the change does not have.
function isPast(terms: readonly LineTerm[], { was, is }: Change): boolean {
  if (!terms.some((term) => hasTerm(was, term))) return false
  const shared = terms.filter((term) => hasTerm(was, term) || hasTerm(is, term)).length
  return shared >= MIN_WORDS && shared >= SHARE * terms.length
}

// In any script: \W would count the letters of most as marks.
const NO_LONGER = /^[^\p{L}\p{N}\n]*no longer[^\p{L}\p{N}\n]*[:：][ *_]*(.*)$/gimu
const NOTHING = /^(nothing|none|n\/a)?[^\p{L}\p{N}]*$/iu

/** Separates a model's note from its lines about what is no longer so. */
export function readNote(reply: string): { text: string; no_longer: string } {
  const past = [...reply.matchAll(NO_LONGER)].map(([, was = '']) => was.trim())
  const no_longer = past.filter((was) => !NOTHING.test(was)).join(' ')
  return { text: reply.replace(NO_LONGER, '').trim(), no_longer }
}
