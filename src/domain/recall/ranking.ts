import { countBelow, sumOf } from '../../lib/numbers.ts'
import { foldedWords } from '../search/words.ts'
import { hasTerm, isQuestion, type LineTerm, sentencesOf } from './line-terms.ts'

// docs/decisions/015-recall.md says what each part is worth.

/** Occurrences of a term in a story. */
export interface TermPlaces {
  term: LineTerm
  /** Its texts: passages in the order of the story, then notes. */
  places: readonly number[]
  /** `EXACT` or `FORM` for each of them. */
  strengths: readonly number[]
}

/** The texts of a story by their places: passages in its order, counted from 0, then the notes, which have no neighbours. */
interface Places {
  passages: number
  total: number
}

export interface RankedText {
  place: number
  isNote: boolean
  /** 1 means: by chance so much of the line would stand together in one text of the story. */
  score: number
  /** The terms that it shares with the line, itself or with its neighbours, heaviest first. */
  terms: string[]
  /** z-score of its meaning among the texts; 0 if that is not known. */
  meaning: number
}

/** Weight of a term as such, and in another form. */
export const EXACT = 1
export const FORM = 0.8
/** Weight of a term in a neighbouring passage, and the distance of neighbours. */
const NEAR = 0.4
const REACH = 2
/** Weight of a term in a question. The passage that follows answers: there it counts in full. */
const ASKED = 0.6
/** Weight of a standard deviation of meaning for the order, beside the score by words. */
const MEANING_WEIGHT = 0.2
/** Standard deviations from which meaning makes a text worth more, and how much each adds to its score. */
const OUTSTANDING = 2
const MEANING_BONUS = 0.1
/** Standard deviations that make a note worth recalling. Of many passages some reach them by chance. */
const MEANT = 3.75
/** The scores from which a text is worth recalling: for a line that asks something, and for any other. */
const MIN_FOR_QUESTION = 0.65
const MIN_SCORE = 1
/** The share of the best score that others must reach: a neighbour of a passage that says everything does not. */
const SHARE_OF_BEST = 0.45
const MAX_CANDIDATES = 60

/** The places of the best notes, and passages before `end`, by words and by meaning, without regard to their texts. */
export function candidatePlaces(
  terms: readonly TermPlaces[],
  { passages, total, end }: Places & { end: number },
  meaning: Float32Array | null,
): number[] {
  const scores = new Float32Array(total)
  // The value that a term has added to each text, by its number: only its best occurrence nearby counts.
  const added = new Float32Array(total)
  const addedBy = new Int8Array(total)
  for (const [i, { places, strengths }] of terms.entries()) {
    const weight = rarity(places.length, total)
    for (let k = 0; k < places.length; k++) {
      const place = places[k] ?? 0
      const full = weight * (strengths[k] ?? 0)
      const isNote = place >= passages
      const last = isNote ? place : Math.min(end - 1, place + REACH)
      for (let near = isNote ? place : Math.max(0, place - REACH); near <= last; near++) {
        const value = near === place ? full : NEAR * full
        const before = addedBy[near] === i + 1 ? (added[near] ?? 0) : 0
        if (value <= before) continue
        scores[near] = (scores[near] ?? 0) + value - before
        added[near] = value
        addedBy[near] = i + 1
      }
    }
  }
  const near = meaning?.map((value, place) => (place < end || place >= passages ? value : 0))
  return [...new Set([...heaviest(scores, MAX_CANDIDATES), ...(near ? heaviest(near, MAX_CANDIDATES) : [])])]
}

/** The texts at `places`, best first. `textAt` gives any of them, with that of the passage before it. */
export function rankTexts(
  terms: readonly TermPlaces[],
  { places, passages, total }: Places & { places: readonly number[] },
  textAt: (place: number) => { text: string; before: string } | undefined,
): RankedText[] {
  const weights = terms.map((term) => rarity(term.places.length, total))
  const hits = places.map((place): RankedText => {
    const { text = '', before = '' } = textAt(place) ?? {}
    const [isTold, wasTold] = [toldIn(text), toldIn(before)]
    const strengthOf = (one: TermPlaces) => {
      const at = (way: number) => strengthIn(one, place + way)
      const own = at(0) > 0 ? at(0) * (isTold(one.term) ? 1 : ASKED) : 0
      if (place >= passages) return own
      const near = (way: number) => (place + way < passages ? at(way) : 0)
      const answers = at(-1) > 0 && !wasTold(one.term) ? at(-1) : 0
      return Math.max(own, answers, NEAR * Math.max(at(-2), at(-1), near(1), near(2)))
    }
    const shares = terms
      .map((one, i) => ({ one, gain: (weights[i] ?? 0) * strengthOf(one) }))
      .filter(({ gain }) => gain > 0)
      .sort((one, other) => other.gain - one.gain)
    const words = shares.map(({ one }) => one.term.words.join('').toLowerCase())
    const score = sumOf(shares.map(({ gain }) => gain)) / unit(total)
    return { place, isNote: place >= passages, score, terms: words, meaning: 0 }
  })
  return hits.sort((one, other) => other.score - one.score || one.place - other.place)
}

/** The same texts by words and by what they mean, best first. */
export function fuseWithMeaning<Found extends RankedText>(hits: readonly Found[]): Found[] {
  const fused = ({ score, meaning }: RankedText) => score + MEANING_WEIGHT * meaning
  return hits.toSorted((one, other) => fused(other) - fused(one) || one.place - other.place)
}

export function foundBy({ terms, meaning }: RankedText): FoundBy {
  if (meaning < OUTSTANDING) return 'words'
  return terms.length > 0 ? 'both' : 'vector'
}

export const FOUND_BY = ['words', 'vector', 'both'] as const
export type FoundBy = (typeof FOUND_BY)[number]

export function leastScore(asks: boolean): number {
  return asks ? MIN_FOR_QUESTION : MIN_SCORE
}

/** The score of a text with all of some terms, by how many texts of a story hold each. */
export function bestScore(counts: readonly number[], total: number): number {
  return sumOf(counts.map((count) => rarity(count, total))) / unit(total)
}

/** Texts above the recall threshold. `asks`: the line is a question. */
export function worthRecalling<Found extends RankedText>(ranked: readonly Found[], asks: boolean): Found[] {
  const worthOf = ({ score, meaning }: RankedText) =>
    score + MEANING_BONUS * Math.max(0, meaning - OUTSTANDING)
  const least = Math.max(leastScore(asks), SHARE_OF_BEST * Math.max(0, ...ranked.map(worthOf)))
  return ranked.filter((hit) => worthOf(hit) >= least || (hit.isNote && hit.meaning >= MEANT))
}

/** Assumed minimum of texts: in fewer, a word cannot be seen to be common. */
const SMALL_STORY = 50

/** Approximate weight of a word that occurs in one text alone. */
function unit(total: number): number {
  return Math.log(Math.max(total, SMALL_STORY))
}

function rarity(count: number, total: number): number {
  const texts = Math.max(total, SMALL_STORY, count)
  return Math.log(1 + (texts - count + 0.5) / (count + 0.5))
}

/** 0 where the term does not occur. */
function strengthIn({ places, strengths }: TermPlaces, place: number): number {
  const at = countBelow(places, place)
  return places[at] === place ? (strengths[at] ?? 0) : 0
}

/** The places with the highest scores above 0, the newest of equal ones, in the order of the story. */
function heaviest(scores: Float32Array, most: number): number[] {
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

/** Tests if a text tells one of its terms, and does not only ask about it. */
function toldIn(text: string): (term: LineTerm) => boolean {
  if (!isQuestion(text)) return () => true
  const told = sentencesOf(text).filter((sentence) => !isQuestion(sentence))
  const words = foldedWords(told.join(' '))
  return (term) => hasTerm(words, term)
}
