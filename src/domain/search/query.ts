import { foldSearch } from '../../lib/fold-text.ts'
import { cutTo } from '../../lib/text.ts'
import { trigramsOf } from './trigrams.ts'

/** What a player looks for: folded terms that must all stand there, and those that must not. */
export interface SearchQuery {
  wanted: string[]
  unwanted: string[]
}

/** Characters of a query that count; more are left out. */
export const LONGEST_QUERY = 200

/**
 * Reads what a player typed: words, "phrases", and either with a - before it for what must not be there. Whatever
 * else is typed is text to look for. Terms that nothing could be found by are left out.
 */
export function parseQuery(typed: string): SearchQuery {
  const terms = [...foldSearch(cutTo(typed, LONGEST_QUERY)).matchAll(TERM)].map(
    ([, minus = '', phrase, word = '']) => ({
      isWanted: minus === '',
      text: phrase === undefined ? bared(word) : phrase.trim().replace(/ +/g, ' '),
    }),
  )
  const known = terms.filter(({ text }) => trigramsOf(text).length > 0)
  const pick = (isWanted: boolean) => [
    ...new Set(known.filter((term) => term.isWanted === isWanted).map(({ text }) => text)),
  ]
  return { wanted: pick(true), unwanted: pick(false) }
}

/**
 * The query in the syntax of FTS5; '' when it finds nothing. Each term is a quoted string, so that nothing in it can be
 * an operator.
 */
export function searchExpression({ wanted, unwanted }: SearchQuery): string {
  if (wanted.length === 0) return ''
  const all = (term: string) => `(${trigramsOf(term).map(quoted).join(' AND ')})`
  return `(${wanted.map(all).join(' AND ')})${unwanted.map((term) => ` NOT ${all(term)}`).join('')}`
}

const TERM = /(-?)(?:"([^"]*)(?:"|$)|([^\s"]+))/gu

// "dog," means the dog; what is punctuation alone is meant as it stands.
function bared(word: string): string {
  return word.replace(/^\p{P}+|(?<!\p{P})\p{P}+$/gu, '') || word
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
