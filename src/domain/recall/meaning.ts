// docs/decisions/015-recall.md says what each part is worth.

/** Weight of the two passages before and after one: their subject is usually the same. */
const NEAR = 1 / 4

/**
 * z-scores of the texts of a story: of a passage together with its neighbours, of a note, whose place is after all
 * `passages`, by itself. `likeness` has a number for each place, NaN where there is no vector: there it counts as
 * average.
 */
export function meaningOf(likeness: Float32Array, passages: number): Float32Array {
  const own = standardised(likeness.subarray(0, passages))
  const at = (place: number) => own[place] ?? 0
  const near = own.map((value, i) => value + NEAR * (at(i - 2) + at(i - 1) + at(i + 1) + at(i + 2)))
  const meaning = new Float32Array(likeness.length)
  meaning.set(standardised(near))
  meaning.set(standardised(likeness.subarray(passages)), passages)
  return meaning
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
