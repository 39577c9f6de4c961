/** How well texts fit a query, by their places in the list that was judged. */
interface Judged {
  scores: Float32Array
  /** Those that fit so much better than most that they are meant, best first. */
  outstanding: number[]
  /** Whether a text fits better than most: what else speaks for it may be right. */
  fits: (index: number) => boolean
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
 * Judges texts by their cosines to a player's line. Some texts resemble any line, so what each has in common with a neutral
 * line counts against it (docs/decisions/010-recall-by-meaning.md).
 */
export function judgeByLine(cosines: Float32Array, neutral: Float32Array): Judged {
  const scores = cosines.map((cosine, i) => cosine - NEUTRAL_SHARE * (neutral[i] ?? 0))
  return judge(scores, spreadOf(cosines), LINE_DISTANCE)
}

/** Judges texts by their cosines to the newest passage. */
export function judgeByPassages(cosines: Float32Array): Judged {
  return judge(cosines, spreadOf(cosines), PASSAGE_DISTANCE)
}

function judge(scores: Float32Array, spread: number, distance: number): Judged {
  const sorted = scores.toSorted()
  const middle = medianOf(sorted)
  const canJudge = scores.length >= MIN_TEXTS
  const stepsOf = (score = 0) => (score - middle) / spread
  const least = Math.max(distance, SHARE_OF_BEST * stepsOf(sorted.at(-1)))
  const bar = sorted.at(-MOST) ?? 0
  const outstanding: number[] = []
  if (canJudge)
    scores.forEach((score, index) => {
      if (score >= bar && stepsOf(score) >= least) outstanding.push(index)
    })
  outstanding.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0))
  return {
    scores,
    outstanding: outstanding.slice(0, MOST),
    fits: (index) => !canJudge || stepsOf(scores[index]) >= FITTING_DISTANCE,
  }
}

/** The usual distance from the median. Where most values are equal, the mean distance stands in. */
function spreadOf(values: Float32Array): number {
  const middle = medianOf(values.toSorted())
  const distances = values.map((value) => Math.abs(value - middle))
  const usual = MEDIAN_SCALE * medianOf(distances.toSorted())
  const mean = MEAN_SCALE * (distances.reduce((sum, value) => sum + value, 0) / (values.length || 1))
  return Math.max(MIN_SPREAD, usual >= MIN_SPREAD ? usual : mean)
}

function medianOf(sorted: Float32Array): number {
  const half = sorted.length >> 1
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? 0)) / 2
}
