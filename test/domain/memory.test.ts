import { expect, test } from 'bun:test'
import { halvings, passagesToQuote } from '../../src/domain/memory.ts'

/** About 100 tokens. */
const passage = 'The road goes on and on. '.repeat(16)

test.each([
  { tokens: 1_000, of: 6, quoted: 6 },
  { tokens: 350, of: 6, quoted: 3 },
  { tokens: 10, of: 6, quoted: 1 },
  { tokens: 0, of: 1, quoted: 1 },
  { tokens: 1_000, of: 0, quoted: 0 },
])('with time for $tokens tokens, $quoted of $of passages are quoted', ({ tokens, of, quoted }) => {
  expect(
    passagesToQuote(
      Array.from({ length: of }, () => passage),
      tokens,
    ),
  ).toBe(quoted)
})

test('every second break-off halves the work', () => {
  expect([0, 1, 2, 3, 4].map(halvings)).toEqual([1, 1, 2, 2, 4])
})
