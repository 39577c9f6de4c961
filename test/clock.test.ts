import { expect, test } from 'bun:test'
import { risingClock } from '../src/clock.ts'

test('no two times are equal, however fast they are read', () => {
  const now = risingClock()
  const times = Array.from({ length: 1_000 }, () => now().getTime())
  expect(new Set(times).size).toBe(1_000)
  expect([...times].sort((a, b) => a - b)).toEqual(times)
})
