import { describe, expect, test } from 'bun:test'
import { cosine, normalised, packed, unpacked } from '../../../src/domain/recall/vectors.ts'

describe('vectors', () => {
  test('are kept bit for bit, four bytes a number', () => {
    const vector = Float32Array.from([1, -0.1, 3.5e-8, 1e30])
    expect(packed(vector)).toHaveLength(16)
    expect(unpacked(packed(vector))).toEqual(vector)
    expect(unpacked(packed(vector).subarray(0, 10))).toHaveLength(2)
  })
  test('of different lengths have nothing to say to each other', () =>
    expect(cosine(Float32Array.from([1, 0]), Float32Array.from([1]))).toBe(0))
  test('of length 1 give their cosine', () => {
    const [one, other] = [normalised(Float32Array.from([3, 4])), normalised(Float32Array.from([4, 3]))]
    expect(cosine(one, one)).toBeCloseTo(1, 6)
    expect(cosine(one, other)).toBeCloseTo(0.96, 6)
    expect(normalised(Float32Array.from([0, 0]))).toEqual(Float32Array.from([0, 0]))
  })
})
