import { type Static, Type } from '@sinclair/typebox'
import { hashOf } from '../../lib/hash.ts'
import { oneOf } from '../../lib/typebox.ts'
import type { ShownNotes, TurnNote, TurnNotes } from '../prompt/notes.ts'
import { EARLIER_PASSAGE, FORMER_PASSAGE } from '../prompt/phrases.ts'
import { estimateTokens, PER_MESSAGE } from '../prompt/tokens.ts'
import { foldedWords } from '../search/words.ts'
import { hasTerm, type LineTerm, sentencesOf } from './line-terms.ts'
import { FOUND_BY, type FoundBy } from './ranking.ts'

/** Tokens that quotes may take in one turn, and their share of a prompt. */
export const MAX_PASSAGE_TOKENS = 350
export const PASSAGE_SHARE = 0.1

/** A passage that a line speaks of. */
export interface RecalledPassage {
  index: number
  text: string
  quote: string
  /** The words that it shares with the line, itself or with its neighbours, heaviest first. */
  terms: string[]
  via: FoundBy
  /** The memory that says that this is no longer so; null if it still is. */
  changedBy: number | null
}

export const whyTold = {
  isPast: Type.Optional(Type.Boolean({ description: 'A later memory says that it is no longer so' })),
  reason: oneOf(['told', 'already told']),
}

/** Older versions did not store how it was found. */
export const ToldPassage = Type.Object({
  index: Type.Integer(),
  quote: Type.String(),
  terms: Type.Array(Type.String(), { description: 'The words that it shares with the line' }),
  via: Type.Optional(oneOf(FOUND_BY)),
  ...whyTold,
})
export type ToldPassage = Static<typeof ToldPassage>

/** Quotes the best passages that fit, in the order of the story. What the window shows is not repeated. */
export function choosePassages(
  recalled: readonly RecalledPassage[],
  { passages: shown }: Pick<ShownNotes, 'passages'>,
  tokens: number,
): { notes: TurnNote[]; shown: TurnNotes['passages']; passages: ToldPassage[] } {
  let remaining = tokens
  const fitting = recalled.flatMap((passage) => {
    const opening = passage.changedBy === null ? EARLIER_PASSAGE : FORMER_PASSAGE
    const line = `${opening}${passage.index}: ${passage.quote}]`
    const isShown = shown.has(hashOf(line))
    const cost = isShown ? 0 : estimateTokens(line) + PER_MESSAGE
    if (cost > remaining) return []
    remaining -= cost
    return [{ passage, line, isShown }]
  })
  const fresh = fitting
    .filter(({ isShown }) => !isShown)
    .sort((one, other) => one.passage.index - other.passage.index)
  return {
    notes: fresh.map(({ line }) => ({ label: 'memories', text: line })),
    shown: fresh.map(({ passage, line }) => [passage.index, hashOf(line), hashOf(passage.text)]),
    passages: fitting.map(({ passage: { index, quote, terms, via, changedBy }, isShown }) => ({
      index,
      quote,
      terms,
      via,
      isPast: changedBy !== null,
      reason: isShown ? 'already told' : 'told',
    })),
  }
}

/** Characters of a quote, about. */
const LONGEST = 240

/** The sentence with most of the terms and its neighbours, as much as fits; else the beginning. */
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
