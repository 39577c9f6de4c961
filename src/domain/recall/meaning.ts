import type { VectorQuery } from './vectors.ts'

// docs/decisions/015-recall.md says what each part is worth.

/** How much of the likeness to any line is taken from the likeness to this one. */
const NEUTRAL_SHARE = 0.5
/** How much neighbouring passages count, and those next to them: their subject is usually the same. */
const NEXT = 1 / 2
const SECOND = 1 / 4

/** What the passages of a story are compared with; null on a turn without a line. */
export function passageQuery({ line, neutral }: VectorQuery): Float64Array | null {
  return line && Float64Array.from(line, (value, i) => value - NEUTRAL_SHARE * (neutral[i] ?? 0))
}

/**
 * How far each passage of a story, with its neighbours, stands above the others, in standard deviations. `likeness` has a
 * number for each place, NaN where there is no vector: there it is as usual.
 */
export function meaningOf(likeness: Float32Array): Float32Array {
  const own = standardised(likeness)
  const at = (place: number) => own[place] ?? 0
  const near = own.map(
    (value, i) => value + NEXT * (at(i - 1) + at(i + 1)) + SECOND * (at(i - 2) + at(i + 2)),
  )
  return standardised(near)
}

function standardised(values: Float32Array): Float32Array {
  const { mean, deviation } = spreadOf(values)
  return values.map((value) => (Number.isNaN(value) ? 0 : (value - mean) / deviation))
}

function spreadOf(values: Float32Array): { mean: number; deviation: number } {
  let count = 0
  let sum = 0
  let squares = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0
    if (Number.isNaN(value)) continue
    count++
    sum += value
    squares += value * value
  }
  const mean = sum / (count || 1)
  return { mean, deviation: Math.sqrt(Math.max(0, squares / (count || 1) - mean * mean)) || 1 }
}
