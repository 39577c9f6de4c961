import { expect, test } from 'bun:test'
import { PlayerPauses } from '../../../src/app/runtime/player-pauses.ts'

function pausesOf(...lengths: number[]): PlayerPauses {
  const pauses = new PlayerPauses()
  let now = 0
  for (const length of lengths) {
    pauses.begin(now)
    now += length
    pauses.end(now)
    now += 7
  }
  return pauses
}

test.each([
  { lengths: [], usual: Number.POSITIVE_INFINITY },
  { lengths: [20], usual: 20 },
  { lengths: [20, 500, 22], usual: 22 },
  { lengths: [1, 1, 1, 30, 31, 32, 33, 34], usual: 32 },
])('the usual one of $lengths is $usual', ({ lengths, usual }) => {
  expect(pausesOf(...lengths).usual).toBe(usual)
})

test('a turn that begins during another ends no pause', () => {
  const pauses = pausesOf(20)
  pauses.end(1_000)
  expect(pauses.usual).toBe(20)
})
