import { countBelow } from '../../lib/numbers.ts'
import { foldedWords } from '../search/words.ts'
import { hasTerm, isQuestion, type LineTerm } from './line-terms.ts'
import { rarity } from './query.ts'
import { sentencesOf } from './sentences.ts'

// docs/decisions/015-recall.md says what each part is worth.

/** Where a term stands in a story. */
export interface TermPlaces {
  term: LineTerm
  /** Its passages, in the order of the story. */
  places: readonly number[]
  /** How well it fits in each of them: `EXACT` or `FORM`. */
  strengths: readonly number[]
}

/** A passage by its place in the story, counted from 0, and how well it fits. */
export interface PassageHit {
  place: number
  /** 1 means: by chance so much of the line would stand together in one passage of the story. */
  score: number
  /** The terms that it shares with the line, itself or with its neighbours, heaviest first. */
  terms: string[]
  /** How far what it means stands above the other passages, in standard deviations; 0 if that is not known. */
  meaning: number
}

/** How much a term counts that stands in the passage as such, and in another form. */
export const EXACT = 1
export const FORM = 0.8
/** How much one counts that stands in a neighbouring passage, and how far away neighbours are. */
const NEAR = 0.4
const REACH = 2
/** How much one counts that was only asked for there. The passage that follows answers: there it counts in full. */
const ASKED = 0.6
/** How much a standard deviation of meaning counts for the order, beside the score by words. */
const MEANING_WEIGHT = 0.2
/** From where meaning makes a passage worth more, and how much a standard deviation adds to its score. */
const OUTSTANDING = 2
const MEANING_BONUS = 0.1
/** The scores from which a passage is worth recalling: for a line that asks something, and for any other. */
const MIN_FOR_QUESTION = 0.65
const MIN_SCORE = 1
/** The share of the best score that others must reach: a neighbour of a passage that says everything does not. */
const SHARE_OF_BEST = 0.45
/** Passages whose texts are read. */
const MAX_CANDIDATES = 60

/** The best passages before `end` without regard to their texts, in the order of the story. `total` is its length. */
export function candidatePlaces(terms: readonly TermPlaces[], total: number, end: number): number[] {
  const scores = new Float32Array(total)
  // What the term of a number has added to a passage: only the best of what is near it counts.
  const added = new Float32Array(total)
  const addedBy = new Int8Array(total)
  for (const [i, { places, strengths }] of terms.entries()) {
    const weight = rarity(places.length, total)
    for (let k = 0; k < places.length; k++) {
      const place = places[k] ?? 0
      const full = weight * (strengths[k] ?? 0)
      const last = Math.min(end - 1, place + REACH)
      for (let near = Math.max(0, place - REACH); near <= last; near++) {
        const value = near === place ? full : NEAR * full
        const before = addedBy[near] === i + 1 ? (added[near] ?? 0) : 0
        if (value <= before) continue
        scores[near] = (scores[near] ?? 0) + value - before
        added[near] = value
        addedBy[near] = i + 1
      }
    }
  }
  return heaviest(scores, MAX_CANDIDATES)
}

/** The passages of `places`, best first. `textAt` gives the text of any of them, or of the one before it. */
export function rankPassages(
  terms: readonly TermPlaces[],
  { places, total }: { places: readonly number[]; total: number },
  textAt: (place: number) => string,
): PassageHit[] {
  const weights = terms.map((term) => rarity(term.places.length, total))
  const matchers = new Map<number, (term: LineTerm) => boolean>()
  const isTold = (place: number, term: LineTerm) => {
    const known = matchers.get(place) ?? toldIn(textAt(place))
    matchers.set(place, known)
    return known(term)
  }
  const strengthAt = (one: TermPlaces, place: number) => {
    const at = (way: number) => strengthIn(one, place + way)
    const own = at(0) > 0 ? at(0) * (isTold(place, one.term) ? 1 : ASKED) : 0
    const answers = at(-1) > 0 && !isTold(place - 1, one.term) ? at(-1) : 0
    return Math.max(own, answers, NEAR * Math.max(at(-2), at(-1), at(1), at(2)))
  }
  const hits = places.map((place): PassageHit => {
    const shares = terms
      .map((one, i) => ({ one, gain: (weights[i] ?? 0) * strengthAt(one, place) }))
      .filter(({ gain }) => gain > 0)
      .sort((one, other) => other.gain - one.gain)
    const gain = shares.reduce((sum, share) => sum + share.gain, 0)
    const words = shares.map(({ one }) => one.term.words.join('').toLowerCase())
    return { place, score: gain / unit(total), terms: words, meaning: 0 }
  })
  return hits.sort((one, other) => other.score - one.score || one.place - other.place)
}

/** The same passages by words and by what they mean, best first. */
export function fuseWithMeaning<Hit extends PassageHit>(hits: readonly Hit[]): Hit[] {
  const fused = ({ score, meaning }: Hit) => score + MEANING_WEIGHT * meaning
  return hits.toSorted((one, other) => fused(other) - fused(one) || one.place - other.place)
}

/** Whether words of a line found a passage, or what it means, or both. */
export function foundBy({ terms, meaning }: PassageHit): FoundBy {
  if (meaning < OUTSTANDING) return 'words'
  return terms.length > 0 ? 'both' : 'vector'
}

export const FOUND_BY = ['words', 'vector', 'both'] as const
export type FoundBy = (typeof FOUND_BY)[number]

/** The score from which a passage is worth recalling. */
export function leastScore(asks: boolean): number {
  return asks ? MIN_FOR_QUESTION : MIN_SCORE
}

/** The score of a passage with all of some terms, by how many passages of a story hold each. */
export function bestScore(counts: readonly number[], total: number): number {
  return counts.reduce((sum, count) => sum + rarity(count, total), 0) / unit(total)
}

/** Those of ranked passages that fit a line so well that they are worth recalling. `asks`: it asks something. */
export function worthRecalling<Hit extends PassageHit>(ranked: readonly Hit[], asks: boolean): Hit[] {
  const worths = ranked.map(
    ({ score, meaning }) => score + MEANING_BONUS * Math.max(0, meaning - OUTSTANDING),
  )
  const least = Math.max(leastScore(asks), SHARE_OF_BEST * Math.max(0, ...worths))
  return ranked.filter((_, i) => (worths[i] ?? 0) >= least)
}

/** In fewer passages a word cannot be seen to be rare. */
const SMALL_STORY = 50

/** What a word counts that stands in one passage alone, about. */
function unit(total: number): number {
  return Math.log(Math.max(total, SMALL_STORY))
}

/** How well a term fits at a place; 0 where it does not stand. */
function strengthIn({ places, strengths }: TermPlaces, place: number): number {
  const at = countBelow(places, place)
  return places[at] === place ? (strengths[at] ?? 0) : 0
}

/** The places with the highest scores above 0, the newest of equal ones, in the order of the story. */
export function heaviest(scores: Float32Array, most: number): number[] {
  const best: number[] = []
  let least = 0
  for (let place = scores.length - 1; place >= 0; place--) {
    const score = scores[place] ?? 0
    if (score <= least) continue
    const at = best.findIndex((other) => (scores[other] ?? 0) < score)
    best.splice(at < 0 ? best.length : at, 0, place)
    if (best.length > most) best.pop()
    if (best.length === most) least = scores[best[most - 1] ?? 0] ?? 0
  }
  return best.sort((one, other) => one - other)
}

/** Tells of terms that stand in a text whether it tells them, and does not only ask. */
function toldIn(text: string): (term: LineTerm) => boolean {
  if (!isQuestion(text)) return () => true
  const told = sentencesOf(text).filter((sentence) => !isQuestion(sentence))
  const words = foldedWords(told.join(' '))
  return (term) => hasTerm(words, term)
}
