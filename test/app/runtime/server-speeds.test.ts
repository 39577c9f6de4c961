import { expect, test } from 'bun:test'
import { ServerSpeeds } from '../../../src/app/runtime/server-speeds.ts'

const URL = 'http://localhost:1/v1'

test.each([
  { tokens: 128, milliseconds: 1_000, size: 128 },
  { tokens: 128, milliseconds: 500, size: 256 },
  { tokens: 128, milliseconds: 60_000, size: 64 },
  { tokens: 128, milliseconds: 0, size: 2_048 },
])('after $tokens tokens in $milliseconds ms a piece has $size', ({ tokens, milliseconds, size }) => {
  const speeds = new ServerSpeeds()
  expect(speeds.pieceSize(URL)).toBe(128)
  speeds.measureReading(URL, tokens, milliseconds)
  expect(speeds.pieceSize(URL)).toBe(size)
  expect(speeds.pieceSize('http://localhost:2/v1')).toBe(128)
})

test('the speed of reading is not that of the smallest piece', () => {
  const speeds = new ServerSpeeds()
  speeds.measureReading(URL, 64, 3_200)
  expect([speeds.readingSpeed(URL), speeds.pieceSize(URL)]).toEqual([20, 64])
})

test('the speed of writing is that of the last reply that was long enough to tell', () => {
  const speeds = new ServerSpeeds()
  expect(speeds.writingSpeed(URL)).toBe(Number.POSITIVE_INFINITY)
  speeds.measureWriting(URL, 100, 5_000)
  speeds.measureWriting(URL, 3, 3_000)
  expect(speeds.writingSpeed(URL)).toBe(20)
})
