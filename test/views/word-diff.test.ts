import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { diffWords } from '../../src/views/ui/diff/word-diff.ts'

/** Marks as they are read aloud: -old- +new+. */
const marked = (old: string, next: string) =>
  diffWords(old, next)
    .map(({ kind, text }) => ({ same: text, old: `-${text}-`, new: `+${text}+` })[kind])
    .join('')
const side = (old: string, next: string, without: 'old' | 'new') =>
  diffWords(old, next)
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join('')

describe('an edit is shown word by word', () => {
  const cases: [old: string, next: string, told: string][] = [
    ['', '', ''],
    ['', 'A lamp.', '+A lamp.+'],
    ['A lamp.', '', '-A lamp.-'],
    ['A lamp burns.', 'A lamp burns.', 'A lamp burns.'],
    ['A lamp burns.', 'A lamp is out.', 'A lamp -burns-+is out+.'],
    ['The red big fox sat.', 'The blue small fox sat down.', 'The -red big-+blue small+ fox sat+ down+.'],
    [
      'He sat on the wide rail, coughing.',
      'She stood at the old lamp, waving.',
      '-He sat on the wide rail, coughing-+She stood at the old lamp, waving+.',
    ],
    ['He waited by the tall lamp.', 'She waited by the lamp.', '-He-+She+ waited by the- tall- lamp.'],
    ['lamplight', 'lamp light', '-lamplight-+lamp light+'],
    ['灯台守が海を見る。', '灯台守が空を見る。', '灯台守が-海-+空+を見る。'],
    ['One.\n\nTwo.', 'One.\n\nAnd\n\nTwo.', 'One.\n\n+And\n\n+Two.'],
  ]
  for (const [old, next, told] of cases)
    test(`${JSON.stringify(old)} → ${JSON.stringify(next)}`, () => expect(marked(old, next)).toBe(told))
})

const words = fc
  .array(fc.constantFrom('a', 'b', 'the', 'lamp', ' ', '. ', '\n\n', '海', '👩‍🚒', 'é', '\ud83d'), {
    maxLength: 60,
  })
  .map((parts) => parts.join(''))

test('both versions can be read from it, and no two neighbours are alike', () => {
  fc.assert(
    fc.property(words, words, (old, next) => {
      expect(side(old, next, 'new')).toBe(old)
      expect(side(old, next, 'old')).toBe(next)
      const kinds = diffWords(old, next).map(({ kind }) => kind)
      expect(kinds.every((kind, i) => kind !== kinds[i - 1])).toBe(true)
    }),
  )
})

describe('the longest texts, of the worst kinds', () => {
  const LENGTH = 50_000
  const many = (word: (i: number) => string) =>
    Array.from({ length: LENGTH / 2 }, (_, i) => word(i))
      .join('')
      .slice(0, LENGTH)
  const cases: [what: string, old: string, next: string][] = [
    ['one word over and over', many(() => 'a '), many((i) => (i % 3 ? 'a ' : 'b '))],
    [
      'two words in disorder',
      many((i) => ((i * 7919) % 13 > 6 ? 'a ' : 'b ')),
      many((i) => ((i * 104729) % 17 > 8 ? 'a ' : 'b ')),
    ],
    ['every word once, turned around', many((i) => `w${i} `), many((i) => `w${9000 - i} `)],
    ['every word once, shuffled', many((i) => `w${i} `), many((i) => `w${(i * 7919) % 8000} `)],
    ['no spaces at all', 'ab'.repeat(LENGTH / 2), 'ba'.repeat(LENGTH / 2)],
    ['no words at all', '.,'.repeat(LENGTH / 2), ',;'.repeat(LENGTH / 2)],
  ]
  for (const [what, old, next] of cases)
    test(what, () => {
      expect(side(old, next, 'new')).toBe(old)
      expect(side(old, next, 'old')).toBe(next)
    })

  test('a word changed in the middle is the only one shown', () => {
    const old = many((i) => `w${i % 900} `)
    const next = `${old.slice(0, 25_000)} changed ${old.slice(25_000)}`
    expect(diffWords(old, next).filter(({ kind }) => kind === 'new')).toHaveLength(1)
    expect(diffWords(old, next).filter(({ kind }) => kind === 'old')).toHaveLength(0)
  })
})
