import { ASCII, foldSearch } from '../../lib/fold-text.ts'

// The index knows a text by its words, in order. In Latin, Greek, Cyrillic, Armenian and Georgian a word is a run of letters
// and digits; in every other script each character counts as a word, because many of them are written without spaces. So
// does each picture sign. Nothing else counts: "well-known" is two words.

const WORD =
  /(?:(?=[\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{scx=Armn}\p{scx=Geor}\p{scx=Zyyy}\p{scx=Zinh}\p{N}])[\p{L}\p{M}\p{N}])+|[\p{L}\p{M}\p{Extended_Pictographic}\p{RI}]/gu
/** Separators of runs of letters and digits. */
const OUTSIDE_RUN =
  /(?![\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{scx=Armn}\p{scx=Geor}\p{scx=Zyyy}\p{scx=Zinh}\p{N}])[\p{L}\p{M}]|[^\p{L}\p{M}\p{N}]/gu
const COUNTS = /[\p{L}\p{M}\p{Extended_Pictographic}\p{RI}]/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, including control characters
const NOT_ASCII = /[^\x00-\x7f]+/g

/** Stands between texts, so that nothing is found across them. No text has such a word. */
const BETWEEN = ' \u0080 '

export interface PlacedWord {
  word: string
  at: number
}

export function wordsOf(folded: string): PlacedWord[] {
  return [...folded.matchAll(WORD)].map(({ 0: word, index: at }) => ({ word, at }))
}

export function foldedWords(text: string): string[] {
  const folded = foldSearch(text)
  // The same words in a fifth of the time.
  if (ASCII.test(folded)) return folded.match(/[A-Z0-9]+/g) ?? []
  return wordsOf(folded).map(({ word }) => word)
}

/** True for a run of letters, which has a beginning, unlike a single character of another script. */
export function isRun(word: string): boolean {
  return word.replace(OUTSIDE_RUN, '') === word
}

/** A folded word as the index has it: its tokenizer changes the case of ASCII alone. */
export function asIndexed(word: string): string {
  return word.replace(/[A-Z]+/g, (ascii) => ascii.toLowerCase())
}

/** The indexed form of the texts of one row: the same words for SQLite's tokenizer "ascii", which splits ASCII alone. */
export function indexedText(texts: readonly string[]): string {
  return texts.map((text) => foldSearch(text).replace(NOT_ASCII, spaced)).join(BETWEEN)
}

function spaced(folded: string): string {
  return folded.replace(OUTSIDE_RUN, (one) => (COUNTS.test(one) ? ` ${one} ` : ' '))
}
