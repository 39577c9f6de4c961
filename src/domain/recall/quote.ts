import { foldedWords } from '../search/words.ts'
import { hasTerm, type LineTerm } from './line-terms.ts'
import { sentencesOf } from './sentences.ts'

/** Characters of a quote, about. */
const LONGEST = 240

/**
 * Quote of a passage: the sentence with most of the terms, and what follows and precedes it, as much as fits. A
 * passage that has none of them is quoted from its beginning.
 */
export function quoteOf(text: string, terms: readonly LineTerm[]): string {
  const sentences = sentencesOf(text.trim().replace(/^> /, '').replace(/\s+/g, ' '))
  const counts = sentences.map((sentence) => {
    const words = foldedWords(sentence)
    return terms.filter((term) => hasTerm(words, term)).length
  })
  let from = counts.indexOf(Math.max(0, ...counts))
  let to = from + 1
  const fits = (start: number, end: number) => sentences.slice(start, end).join('').length <= LONGEST
  while (to < sentences.length && fits(from, to + 1)) to++
  while (from > 0 && fits(from - 1, to)) from--
  const quote = shortened(sentences.slice(from, to).join('').trim())
  return `${from > 0 ? '… ' : ''}${quote}${to < sentences.length ? ' …' : ''}`
}

function shortened(quote: string): string {
  if (quote.length <= LONGEST) return quote
  const cut = quote
    .slice(0, LONGEST)
    .toWellFormed()
    .replace(/\ufffd$/, '')
  const space = cut.lastIndexOf(' ')
  return `${space > LONGEST / 2 ? cut.slice(0, space) : cut} …`
}
