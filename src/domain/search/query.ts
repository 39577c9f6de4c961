import { foldSearch } from '../../lib/fold-text.ts'
import { cutTo } from '../../lib/text.ts'
import { isRun, wordsOf } from './words.ts'

/** Folded words that stand one after another. */
export interface SearchTerm {
  words: string[]
  /** The last word may go on. */
  isBeginning: boolean
}

/** Terms that must all occur, and those that must not. */
export interface SearchQuery {
  wanted: SearchTerm[]
  unwanted: SearchTerm[]
}

/** Characters of a query that count; more are left out. */
export const LONGEST_QUERY = 200

/** Characters from which a word also matches as the beginning of longer ones. */
const SHORTEST_BEGINNING = 3

/**
 * Reads what a player typed: words or their beginnings, "whole words in this order", and either with a - before it for
 * what must not be there. Punctuation does not count. Terms without a word are left out.
 */
export function parseQuery(typed: string): SearchQuery {
  const terms = [...foldSearch(cutTo(typed, LONGEST_QUERY)).matchAll(TERM)].map(
    ([, minus = '', phrase, closing, word = '']) => ({
      isWanted: minus === '',
      term: termOf(phrase ?? word, closing === '"'),
    }),
  )
  const pick = (isWanted: boolean) => {
    const picked = terms.filter((one) => one.isWanted === isWanted && one.term.words.length > 0)
    return [...new Map(picked.map(({ term }) => [JSON.stringify(term), term])).values()]
  }
  return { wanted: pick(true), unwanted: pick(false) }
}

function termOf(folded: string, isWhole: boolean): SearchTerm {
  const words = wordsOf(folded).map(({ word }) => word)
  const last = words.at(-1) ?? ''
  return { words, isBeginning: !isWhole && last.length >= SHORTEST_BEGINNING && isRun(last) }
}

/**
 * The query in the syntax of FTS5; '' when it finds nothing. Each term is a quoted string, so that nothing in it can be
 * an operator. `complete` returns the indexed words with a beginning, or null if they are too many to be named.
 */
export function searchExpression(
  { wanted, unwanted }: SearchQuery,
  complete: (beginning: string) => readonly string[] | null,
): string {
  if (wanted.length === 0) return ''
  const any = ({ words, isBeginning }: SearchTerm) => {
    const last = words.at(-1)
    if (!isBeginning || last === undefined) return quoted(words)
    const completions = complete(last)
    if (completions === null) return `${quoted(words)} *`
    const others = completions.map((word) => quoted([...words.slice(0, -1), word]))
    return `(${[quoted(words), ...others].join(' OR ')})`
  }
  return `(${wanted.map(any).join(' AND ')})${unwanted.map((term) => ` NOT ${any(term)}`).join('')}`
}

const TERM = /(-?)(?:"([^"]*)("|$)|([^\s"]+))/gu

function quoted(words: readonly string[]): string {
  return `"${words.join(' ')}"`
}

/** In the order in which results are shown. */
export const SEARCH_KINDS = ['adventure', 'scenario', 'story_card', 'memory', 'action'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]
