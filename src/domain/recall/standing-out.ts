/** A text by its place in the list that was ranked. */
export interface Ranked {
  index: number
  /** Whether it fits the query so much better than most that it is meant. */
  standsOut: boolean
  /** Whether it fits the query better than most: what else speaks for it may be right. */
  fits: boolean
}

/** With fewer texts it cannot be said what is usual among them: none stands out. */
const MIN_TEXTS = 8
/** How far above the median a text stands out, in spreads: for the line, and for passages, which are about many things. */
const LINE_DISTANCE = 2.3
const PASSAGE_DISTANCE = 3.5
/** Of the distance of the best, what others must reach. */
const SHARE_OF_BEST = 0.75
const MOST = 3
/** How far above the median a text fits at all. */
const FITTING_DISTANCE = 2
/** How much of the likeness to any line is taken from the likeness to this one. */
const NEUTRAL_SHARE = 0.8
/** Cosines that differ less do not differ. */
const MIN_SPREAD = 0.001
/** What makes the median of the distances, and their mean, comparable with a standard deviation (Iglewicz, Hoaglin 1993). */
const MEDIAN_SCALE = 1.4826
const MEAN_SCALE = 1.2533

/**
 * Texts by their cosines to a player's line, best first. Some texts resemble any line, so what each has in common with a
 * neutral line counts against it (docs/decisions/010-recall-by-meaning.md).
 */
export function rankByLine(cosines: readonly number[], neutral: readonly number[]): Ranked[] {
  const scores = cosines.map((cosine, i) => cosine - NEUTRAL_SHARE * (neutral[i] ?? 0))
  return rank(scores, spreadOf(cosines), LINE_DISTANCE)
}

/** Texts by their cosines to the newest passage, best first. */
export function rankByPassages(cosines: readonly number[]): Ranked[] {
  return rank(cosines, spreadOf(cosines), PASSAGE_DISTANCE)
}

function rank(scores: readonly number[], spread: number, distance: number): Ranked[] {
  const middle = median(scores)
  const ordered = scores
    .map((score, index) => ({ index, steps: (score - middle) / spread }))
    .sort((one, other) => other.steps - one.steps)
  const canJudge = scores.length >= MIN_TEXTS
  const least = Math.max(distance, SHARE_OF_BEST * (ordered[0]?.steps ?? 0))
  return ordered.map(({ index, steps }, place) => ({
    index,
    standsOut: canJudge && place < MOST && steps >= least,
    fits: !canJudge || steps >= FITTING_DISTANCE,
  }))
}

/** The usual distance from the median. Where most values are equal, the mean distance stands in. */
function spreadOf(values: readonly number[]): number {
  const middle = median(values)
  const distances = values.map((value) => Math.abs(value - middle))
  const usual = MEDIAN_SCALE * median(distances)
  const mean = MEAN_SCALE * (distances.reduce((sum, value) => sum + value, 0) / (values.length || 1))
  return Math.max(MIN_SPREAD, usual >= MIN_SPREAD ? usual : mean)
}

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  const half = sorted.length >> 1
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? 0)) / 2
}
