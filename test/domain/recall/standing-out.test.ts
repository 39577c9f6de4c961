import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { judgeByLine, judgeByPassages } from '../../../src/domain/recall/standing-out.ts'

/** Cosines as E5 gives them to a query and texts that have nothing to do with it: all high, none apart. */
const USUAL = [0.74, 0.75, 0.76, 0.77, 0.78, 0.79, 0.8, 0.75, 0.76, 0.77, 0.78, 0.79]
const NEUTRAL = USUAL.map(() => 0.75)

const byLine = (cosines: number[], neutral = cosines.map(() => 0.75)) =>
  judgeByLine(Float32Array.from(cosines), Float32Array.from(neutral)).outstanding
const byPassages = (cosines: number[]) => judgeByPassages(Float32Array.from(cosines))

describe('what stands out', () => {
  const rows: [what: string, cosines: number[], indexes: number[]][] = [
    ['one stands out', [...USUAL, 0.86], [12]],
    ['one below the usual does not', [...USUAL, 0.5], []],
    ['none stands out', USUAL, []],
    ['none, however high all are', USUAL.map((cosine) => cosine + 0.15), []],
    ['one, however low all are', [...USUAL.map((cosine) => cosine - 0.7), 0.2], [12]],
    ['all alike', USUAL.map(() => 0.8), []],
    ['all alike but for noise', USUAL.map((_, i) => 0.8 + i * 1e-6), []],
    ['one among many that are alike', [...USUAL.map(() => 0.1), 0.9], [12]],
    ['half and half', USUAL.map((_, i) => (i % 2 === 0 ? 0.1 : 0.9)), []],
    ['two', [...USUAL, 0.86, 0.87], [13, 12]],
    ['a second that is far behind the first', [...USUAL, 0.85, 0.95], [13]],
    ['at most three', [...USUAL, ...USUAL, 0.9, 0.91, 0.92, 0.93], [27, 26, 25]],
    ['too few memories to know what is usual', [0.75, 0.76, 0.77, 0.75, 0.76, 0.77, 0.95], []],
    ['just enough', [0.75, 0.76, 0.77, 0.75, 0.76, 0.77, 0.76, 0.95], [7]],
    ['one memory', [0.99], []],
    ['no memories', [], []],
  ]
  for (const [what, cosines, indexes] of rows) test(what, () => expect(byLine(cosines)).toEqual(indexes))

  test('a memory that resembles any line does not', () => {
    const cosines = [...USUAL, 0.86]
    expect(byLine(cosines, [...NEUTRAL, 0.86])).toEqual([])
  })

  test('a memory that no other line resembles does sooner', () => {
    const cosines = [...USUAL, 0.81]
    expect(byLine(cosines)).toEqual([])
    expect(byLine(cosines, [...NEUTRAL, 0.7])).toEqual([12])
  })

  test('passages need more than a line', () => {
    const cosines = [...USUAL, 0.84]
    expect(byLine(cosines)).toEqual([12])
    expect(byPassages(cosines).outstanding).toEqual([])
    expect(byPassages([...USUAL, 0.9]).outstanding).toEqual([12])
  })
})

describe('what fits', () => {
  const fitting = (cosines: number[]) => {
    const { fits } = byPassages(cosines)
    return cosines.flatMap((_, index) => (fits(index) ? [index] : []))
  }

  test('is well above the median', () => {
    expect(fitting([...USUAL, 0.84, 0.77, 0.5])).toEqual([12])
  })

  test('is everything where there are too few to judge', () => {
    expect(fitting([0.1, 0.9, 0.5])).toEqual([0, 1, 2])
  })
})

test('at most three stand out, the best first, however high all cosines are', () => {
  // Exact in binary, so that nothing is rounded.
  const cosine = fc.integer({ min: -128, max: 128 }).map((parts) => parts / 128)
  fc.assert(
    fc.property(fc.array(cosine, { maxLength: 60 }), (cosines) => {
      const { outstanding, fits } = byPassages(cosines)
      const best = cosines.map((_, index) => index).sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0))
      expect(outstanding).toEqual(best.slice(0, outstanding.length))
      expect(outstanding.length).toBeLessThanOrEqual(3)
      expect(outstanding.every(fits)).toBe(true)
      expect(byPassages(cosines.map((one) => one + 8)).outstanding).toEqual(outstanding)
    }),
  )
})
