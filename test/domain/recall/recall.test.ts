import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type Candidate,
  fuse,
  matchExpression,
  pickMemories,
  queryTerms,
  type Recalled,
  rankMemories,
  type Term,
  type VectorHit,
} from '../../../src/domain/recall/recall.ts'
import { contentWords, namesIn, stem } from '../../../src/domain/recall/content-words.ts'

describe('words', () => {
  const forms: [one: string, other: string, same: boolean][] = [
    ['promise', 'promised', true],
    ['promise', 'promising', true],
    ['key', 'keys', true],
    ['story', 'stories', true],
    ['witch', 'witches', true],
    ['stop', 'stopped', true],
    ['king', 'kin', false],
    ['glass', 'glad', false],
    ['string', 'str', false],
  ]
  for (const [one, other, same] of forms)
    test(`${one} and ${other} are ${same ? 'one word' : 'two words'}`, () => {
      expect(stem(one) === stem(other)).toBe(same)
    })

  test('small words, short words and accents are out', () => {
    expect(contentWords("Don't ask me if the Café of Zoë is open, is it?")).toEqual(['cafe', 'zoe', 'open'])
  })

  test('a name is capitalised inside a sentence', () => {
    expect(namesIn('Rain falls. Marta waits for Bren. "Come, Ilse," she says.')).toEqual(['bren', 'ilse'])
  })
})

describe('the query', () => {
  const options = { cardKeys: [] as string[], frequency: () => 5, total: 100 }

  test('the line weighs most, and of two words the rarer one', () => {
    const frequency = (word: string) => (word === 'lantern' ? 30 : 5)
    const texts = { newest: ['a river and a lantern'], line: 'lantern, sword' }
    const terms = queryTerms(texts, { ...options, frequency })
    expect(terms.map(({ word }) => word)).toEqual(['sword', 'lantern', 'river'])
  })

  test('words that no memory has take no place', () => {
    const frequency = (word: string) => (word === 'sword' ? 1 : 0)
    const terms = queryTerms({ newest: [], line: 'a sword and a river' }, { ...options, frequency })
    expect(terms.map(({ word }) => word)).toEqual(['sword'])
  })

  test('the forms of one word are one term', () => {
    expect(queryTerms({ newest: ['keys'], line: 'key' }, options)).toHaveLength(1)
  })

  test('names and the keys of told cards are names', () => {
    const texts = { newest: [], line: 'we meet Marta at the iron gate by the river' }
    const terms = queryTerms(texts, { ...options, cardKeys: ['iron gate', 'river of blood'] })
    const names = terms.filter(({ isName }) => isName).map(({ word }) => word)
    expect(names.sort()).toEqual(['gate', 'iron', 'marta'])
  })

  test('has at most 24 terms', () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')
    expect(queryTerms({ newest: [words], line: words }, options)).toHaveLength(24)
  })

  test('quotes every term', () => {
    expect(matchExpression([{ word: 'a" OR b' }, { word: 'NEAR(c\0' }])).toBe('"a"" OR b" OR "NEAR(c"')
  })
})

describe('the ranking', () => {
  const terms: Term[] = [
    { word: 'sword', weight: 4, isName: false },
    { word: 'marta', weight: 3, isName: true },
    { word: 'river', weight: 3, isName: false },
    { word: 'bread', weight: 1, isName: false },
  ]
  const rows: [what: string, texts: string[], kept: number[]][] = [
    ['the heaviest words first', ['A river, some bread.', 'A sword in the river.'], [2, 1]],
    ['one plain word is not enough', ['A sword.'], []],
    ['one name is enough', ['She is called Marta.'], [1]],
    ['far below the best is out', ['Marta threw a sword into the river.', 'A bit of river bread.'], [1]],
    ['the newer of two equals', ['Old sword, old river.', 'Marsh sword; gone river!'], [2, 1]],
    ['a near duplicate is out', ['Red sword, red river, cold.', 'Red sword, red river, cold!'], [2]],
    ['nothing shared is nothing recalled', ['The moon.', 'The sun.'], []],
  ]
  for (const [what, texts, kept] of rows)
    test(what, () => {
      const ranked = rankMemories(texts.map(candidate), terms, { k: 5 })
      expect(ranked.map(({ id }) => id)).toEqual(kept)
    })

  test('says why', () => {
    const [first] = rankMemories([candidate('Marta has a sword.', 0)], terms, { k: 5 })
    expect(first).toMatchObject({ terms: ['sword', 'marta'], via: 'words' })
    expect(first?.score).toBeGreaterThan(0)
  })

  test('pinned memories stand first, even without a shared word', () => {
    const candidates = [candidate('A sword in the river.', 0), { ...candidate('The moon.', 1), pinned: true }]
    const ranked = rankMemories(candidates, terms, { k: 5 })
    expect(ranked.map(({ id, via }) => [id, via])).toEqual([
      [2, 'pinned'],
      [1, 'words'],
    ])
  })

  test('a memory that is too long for the tokens lets a shorter one in', () => {
    const candidates = [
      candidate('Marta, sword, river, bread, and much else.', 0),
      candidate('sword river', 1),
    ]
    const options = { k: 5, tokens: 11, estimate: (text: string) => text.length }
    expect(rankMemories(candidates, terms, options).map(({ id }) => id)).toEqual([2])
  })

  test('never gives more than k or more than the tokens, and always the same', () => {
    const words = fc.constantFrom('sword', 'river', 'marta', 'bread', 'moon', 'key', 'door', 'ship')
    const texts = fc.array(fc.array(words, { maxLength: 8 }), { maxLength: 20 })
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 0, max: 60 }),
        (lists, k, tokens) => {
          const candidates = lists.map((list, index) => candidate(list.join(' '), index))
          const ranked = rankMemories(candidates, terms, { k, tokens })
          expect(ranked.length).toBeLessThanOrEqual(k)
          expect(ranked.reduce((sum, { text }) => sum + Math.ceil(text.length / 4), 0)).toBeLessThanOrEqual(
            tokens,
          )
          expect(rankMemories(candidates.toReversed(), terms, { k, tokens })).toEqual(ranked)
        },
      ),
    )
  })
})

describe('the fusion with vectors', () => {
  const rows: [what: string, words: number[], vectors: [number, number][], fused: [number, string][]][] = [
    [
      'words alone',
      [1, 2],
      [],
      [
        [1, 'words'],
        [2, 'words'],
      ],
    ],
    [
      'vectors alone',
      [],
      [
        [1, 0.9],
        [2, 0.3],
      ],
      [
        [1, 'vector'],
        [2, 'vector'],
      ],
    ],
    [
      'too far for a vector alone',
      [],
      [
        [1, 0.25],
        [2, 0.24],
      ],
      [[1, 'vector']],
    ],
    [
      'both beat the first of either',
      [1, 2],
      [
        [3, 0.9],
        [2, 0.1],
      ],
      [
        [2, 'both'],
        [3, 'vector'],
        [1, 'words'],
      ],
    ],
  ]
  for (const [what, words, vectors, expected] of rows)
    test(what, () => {
      const fused = fuse(words.map(wordHit), vectors.map(vectorHit))
      expect(fused.map(({ id, via }): [number, string] => [id, via])).toEqual(expected)
    })

  test('the gain is 1 / (60 + rank) of each list', () => {
    expect(fuse([wordHit(1)], [vectorHit([1, 0.9])])[0]?.score).toBeCloseTo(2 / 61, 10)
  })

  test('what it gives can be picked from', () => {
    const fused = fuse([wordHit(1)], [vectorHit([2, 0.9])])
    expect(pickMemories(fused, { k: 1 }).map(({ id }) => id)).toEqual([2])
  })
})

function candidate(text: string, index: number): Candidate {
  return { id: index + 1, text, source_end: index * 6 + 5, pinned: false, bm25: -1 }
}

function wordHit(id: number): Recalled {
  return { ...about(id), terms: ['sword'], score: 1, via: 'words' }
}

function vectorHit([id, cosine]: [number, number]): VectorHit {
  return { ...about(id), cosine }
}

function about(id: number) {
  return { id, text: `Memory number ${'x'.repeat(id)}`, source_end: 5, pinned: false }
}
