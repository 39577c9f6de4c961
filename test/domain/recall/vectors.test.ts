import { describe, expect, test } from 'bun:test'
import {
  dotProduct,
  normalised,
  smallVector,
  vectorFromBytes,
  vectorToBytes,
} from '../../../src/domain/recall/vectors.ts'
import { drawFrom } from '../../../src/practice/seeded-random.ts'

const product = (one: Float32Array, other: Float32Array) =>
  dotProduct(smallVector(one), Float64Array.from(other))

describe('vectors', () => {
  test('are stored exactly, four bytes a number', () => {
    const vector = Float32Array.from([1, -0.1, 3.5e-8, 1e30])
    expect(vectorToBytes(vector)).toHaveLength(16)
    expect(vectorFromBytes(vectorToBytes(vector))).toEqual(vector)
    expect(vectorFromBytes(vectorToBytes(vector).subarray(0, 10))).toHaveLength(2)
  })
  test('of different lengths have similarity 0', () =>
    expect(dotProduct(smallVector(Float32Array.from([1, 0])), Float64Array.from([1]))).toBe(0))
  test('are read wherever their bytes lie', () => {
    const bytes = vectorToBytes(Float32Array.from([1, -0.1]))
    const shifted = new Uint8Array(9)
    shifted.set(bytes, 1)
    expect(vectorFromBytes(shifted.subarray(1))).toEqual(Float32Array.from([1, -0.1]))
  })
  test('of length 1 give their cosine similarity', () => {
    const [one, other] = [normalised(Float32Array.from([3, 4])), normalised(Float32Array.from([4, 3]))]
    expect(product(one, one)).toBeCloseTo(1, 2)
    expect(product(one, other)).toBeCloseTo(0.96, 2)
    expect(normalised(Float32Array.from([0, 0]))).toEqual(Float32Array.from([0, 0]))
  })
  test('of any length are compared to their last number', () => {
    for (let length = 1; length < 10; length++) {
      const last = Float32Array.from({ length }, (_, i) => (i === length - 1 ? 1 : 0))
      expect(product(last, last)).toBe(1)
      expect(
        product(
          last,
          Float32Array.from({ length }, () => 1),
        ),
      ).toBe(1)
    }
  })
  test('of many numbers lose next to nothing by rounding', () => {
    const draw = drawFrom(7)
    const random = () => normalised(Float32Array.from({ length: 384 }, () => draw(2_001) - 1_000))
    const none = normalised(Float32Array.from({ length: 385 }, () => 0))
    for (let i = 0; i < 100; i++) {
      const [one, other] = [random(), random()]
      const exact = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
      expect(Math.abs(product(one, other) - exact)).toBeLessThan(0.002)
    }
    expect(product(none, none)).toBe(0)
  })
})
