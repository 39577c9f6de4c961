import { foldSearch } from '../../lib/fold-text.ts'

// The index knows a text by each three of its characters. What is shorter (a word of Chinese, "ox", a picture sign) is
// added behind the text as three characters, with a mark that no folded text holds.

const MARK = '\u0001'
/** Stands between fields, so that nothing is found across them. */
const BETWEEN = '\u0002'

/** A character of a script that is written without spaces, or in short words; or a picture sign. */
const CLOSE =
  '[\\p{scx=Hani}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}\\p{Extended_Pictographic}]'
const CLOSE_RUN = new RegExp(`${CLOSE}+`, 'gu')
const CLOSE_ONE = new RegExp(CLOSE, 'u')
const LETTER = '[\\p{L}\\p{M}\\p{N}]'
const SHORT_WORD = new RegExp(`(?<!${LETTER})${LETTER}{1,2}(?!${LETTER})`, 'gu')
const WORD = new RegExp(`^${LETTER}+$`, 'u')

/** What the index is told of the texts of one row. */
export function indexedText(texts: readonly string[]): string {
  const folded = texts.map(foldSearch).join(BETWEEN)
  const runs = [...new Set(folded.match(CLOSE_RUN))].map((run) => MARK + [...run].join(MARK) + MARK)
  const words = [...new Set(folded.match(SHORT_WORD))].map((word) => MARK + word + MARK)
  return [folded, ...runs, ...words].join(BETWEEN)
}

/** By what the index finds a folded term, each at least three characters and all needed; [] for what it cannot find. */
export function trigramsOf(term: string): string[] {
  const characters = [...term]
  if (characters.length >= 3) return [term]
  const close = characters.filter((one) => CLOSE_ONE.test(one))
  if (close.length === 2) return [close.join(MARK)]
  if (close.length > 0) return close.map((one) => MARK + one + MARK)
  return WORD.test(term) ? [MARK + term + MARK] : []
}

/** Where a folded term stands in a folded text: short words of spaced scripts only as whole words. */
export function* offsetsOf(folded: string, term: string): Generator<number> {
  const isWholeWord = [...term].length < 3 && !CLOSE_ONE.test(term)
  const edge = new RegExp(LETTER, 'u')
  for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length)) {
    const before = [...folded.slice(Math.max(0, at - 2), at)].at(-1) ?? ''
    const after = [...folded.slice(at + term.length, at + term.length + 2)][0] ?? ''
    if (!isWholeWord || !(edge.test(before) || edge.test(after))) yield at
  }
}
