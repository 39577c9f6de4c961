import { expect, test } from 'bun:test'
import type { WorldChange } from '../../../src/domain/action.ts'
import { verdictWords } from '../../../src/domain/world/change-words.ts'

/** A limited change, as it is stored. */
const limited = (asked: unknown): WorldChange =>
  ({
    kind: 'stat',
    path: 'player.coins',
    label: 'coins',
    delta: 5,
    value: 9,
    asked,
    verdict: 'limited',
    reason: 'at most 5 a turn',
  }) as unknown as WorldChange

test.each([
  { asked: 20, words: 'asked for +20, got +5: at most 5 per turn' },
  { asked: '20', words: 'asked for +20, got +5: at most 5 per turn' },
  // Files may hold anything.
  { asked: { valueOf: 1, toString: 1 }, words: 'at most 5 per turn' },
  { asked: null, words: 'at most 5 per turn' },
])('a change that asked for $asked is limited in words', ({ asked, words }) => {
  expect(verdictWords(limited(asked))).toBe(words)
})
