import { describe, expect, test } from 'bun:test'
import {
  dotProduct,
  meanVector,
  normalised,
  vectorFromBytes,
  vectorToBytes,
} from '../../../src/domain/recall/vectors.ts'

describe('vectors', () => {
  test('are stored exactly, four bytes a number', () => {
    const vector = Float32Array.from([1, -0.1, 3.5e-8, 1e30])
    expect(vectorToBytes(vector)).toHaveLength(16)
    expect(vectorFromBytes(vectorToBytes(vector))).toEqual(vector)
    expect(vectorFromBytes(vectorToBytes(vector).subarray(0, 10))).toHaveLength(2)
  })
  test('of different lengths have similarity 0', () =>
    expect(dotProduct(Float32Array.from([1, 0]), Float32Array.from([1]))).toBe(0))
  test('are read wherever their bytes lie', () => {
    const bytes = vectorToBytes(Float32Array.from([1, -0.1]))
    const shifted = new Uint8Array(9)
    shifted.set(bytes, 1)
    expect(vectorFromBytes(shifted.subarray(1))).toEqual(Float32Array.from([1, -0.1]))
  })
  test('have a mean', () => {
    expect(meanVector([Float32Array.from([1, 0]), Float32Array.from([0, 2])])).toEqual(
      Float32Array.from([0.5, 1]),
    )
    expect(meanVector([])).toHaveLength(0)
  })
  test('of length 1 give their cosine similarity', () => {
    const [one, other] = [normalised(Float32Array.from([3, 4])), normalised(Float32Array.from([4, 3]))]
    expect(dotProduct(one, one)).toBeCloseTo(1, 6)
    expect(dotProduct(one, other)).toBeCloseTo(0.96, 6)
    expect(normalised(Float32Array.from([0, 0]))).toEqual(Float32Array.from([0, 0]))
  })
})
