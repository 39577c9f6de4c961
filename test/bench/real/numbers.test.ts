import { expect, test } from 'bun:test'
import { mean, median, p95, shareOf } from '../../../bench/real/numbers.ts'

const upTo = (last: number) => Array.from({ length: last }, (_, i) => last - i)

test.each([
  [[], null, null, null],
  [[7], 7, 7, 7],
  [[1, 2, 3, 10], 4, 2, 10],
  [upTo(100), 50.5, 50, 95],
])('%j', (values, average, middle, high) => {
  expect([mean(values), median(values), p95(values)]).toEqual([average, middle, high])
})

test('a share of nothing is unknown', () => {
  expect([shareOf(0, 0), shareOf(1, 4)]).toEqual([null, 0.25])
})
