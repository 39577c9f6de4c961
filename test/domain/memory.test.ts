import { describe, expect, test } from 'bun:test'
import {
  isLongerThanMemory,
  memoryFrom,
  memoryTask,
  passagesToQuote,
  ruleAgainstCopies,
  saysNothingNew,
  summaryWords,
  tokensToQuote,
} from '../../src/domain/memory.ts'

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

test.each([
  { seconds: Number.POSITIVE_INFINITY, speed: 100, tokens: 600 },
  { seconds: 20, speed: 100, tokens: 600 },
  { seconds: 8, speed: 100, tokens: 400 },
])(
  'in $seconds s a server that reads $speed tokens a second may read $tokens',
  ({ seconds, speed, tokens }) => {
    expect(tokensToQuote(seconds, speed)).toBe(tokens)
  },
)

test.each([
  { seconds: Number.POSITIVE_INFINITY, speed: Number.POSITIVE_INFINITY, words: 250 },
  { seconds: 6, speed: Number.POSITIVE_INFINITY, words: 250 },
  { seconds: Number.POSITIVE_INFINITY, speed: 2, words: 250 },
  { seconds: 17, speed: 18, words: 85 },
  { seconds: 6, speed: 10, words: 60 },
])(
  'in $seconds s a server that writes $speed tokens a second is asked for $words words',
  ({ seconds, speed, words }) => {
    expect(summaryWords(seconds, speed)).toBe(words)
  },
)

describe('a model that writes more than a note', () => {
  const rambling = 'One. Two. Three. Four. Five, and'

  test('is stopped at the fifth sentence', () => {
    expect(isLongerThanMemory(rambling.slice(0, -10))).toBe(false)
    expect(isLongerThanMemory(rambling)).toBe(true)
    expect(memoryFrom(rambling).text).toBe('One. Two. Three. Four.')
  })

  test('is stopped where it goes on with what is no longer so', () => {
    // Qwen2.5 1.5B.
    const was =
      'The jar was empty. No longer: Alice was scared. No longer: She fell. No longer: She was curious.'
    expect(isLongerThanMemory(`No longer: ${was}`)).toBe(false)
    const rambling = `No longer: ${was} No longer: She was brave.`
    expect(isLongerThanMemory(rambling)).toBe(true)
    expect(memoryFrom(rambling).no_longer).toBe(was)
  })

  test('may say what is no longer so', () => {
    const note = 'One. Two. Three. Four.\nNo longer: Zero.'
    expect(isLongerThanMemory(note)).toBe(false)
    expect(memoryFrom(note)).toEqual({ text: 'One. Two. Three. Four.', no_longer: 'Zero.' })
  })
})

// Qwen2.5 1.5B.
const TOLD = [
  '> You read the last entry of the ledger.',
  'As you read it, you see the name beside it: Odile Fenn. You feel a pang of guilt. You know that she left suddenly.',
]

describe('a note', () => {
  const cases: [note: string, nothing: boolean][] = [
    ['As you read it, you see the name beside it: Odile Fenn. You feel a pang of guilt.', true],
    ['You read the last entry of the ledger.\n\nNo longer: Odile is here.', true],
    ['The hero read the last entry of the ledger. You feel a pang of guilt.', false],
    ['', true],
    ['No longer: As you read it, you see the name beside it: Odile Fenn.', true],
  ]
  for (const [note, expected] of cases)
    test(`${JSON.stringify(note)} says ${expected ? 'nothing new' : 'something new'}`, () => {
      expect(saysNothingNew(note, TOLD)).toBe(expected)
    })
})

test('a model that copied gets its first words in English alone, after the same beginning', () => {
  const again = memoryTask(TOLD, ruleAgainstCopies(TOLD))
  const beginning = '(end of the passages). '
  expect(again.split(beginning)[0]).toBe(memoryTask(TOLD).split(beginning)[0])
  expect(again).toContain('which begin with “The hero”')
  expect(
    ruleAgainstCopies(['Der alte Mann lächelt und sagt, dass die Laterne nicht mehr brennt.']),
  ).not.toContain('hero')
})
