import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { estimateTokens } from '../../../src/domain/prompt/tokens.ts'
import { contentWords, namesIn, stem } from '../../../src/domain/recall/content-words.ts'
import { matchExpression, type QueryTerm, queryTerms } from '../../../src/domain/recall/query.ts'
import {
  type MemoryCandidate,
  mergeRankings,
  pickMemories,
  type RecalledText,
  scoreMemories,
  type VectorHit,
} from '../../../src/domain/recall/recall.ts'

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

  test('small words, short words and accents are dropped', () => {
    expect(contentWords("Don't ask me if the Café of Zoë is open, is it?")).toEqual(['cafe', 'zoe', 'open'])
  })

  test('a name is capitalised inside a sentence', () => {
    expect(namesIn('Rain falls. Marta waits for Bren. "Come, Ilse," she says.')).toEqual(['bren', 'ilse'])
  })
})

describe('the query', () => {
  const options = { cardKeys: [] as string[], frequency: () => 5, total: 100 }

  test('the line counts most, and a rare word more than a common one', () => {
    const frequency = (word: string) => (word === 'lantern' ? 30 : 5)
    const texts = { newest: ['a river and a lantern'], line: 'lantern, sword' }
    const terms = queryTerms(texts, { ...options, frequency })
    expect(terms.map(({ word }) => word)).toEqual(['sword', 'lantern', 'river'])
  })

  test('words that no memory contains are dropped', () => {
    const frequency = (word: string) => (word === 'sword' ? 1 : 0)
    const terms = queryTerms({ newest: [], line: 'a sword and a river' }, { ...options, frequency })
    expect(terms.map(({ word }) => word)).toEqual(['sword'])
  })

  test('the forms of one word are one term', () => {
    expect(queryTerms({ newest: ['keys'], line: 'key' }, options)).toHaveLength(1)
  })

  test('capitalised words and matching card triggers count as names', () => {
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
  const terms: QueryTerm[] = [
    { word: 'sword', weight: 4, isName: false },
    { word: 'marta', weight: 3, isName: true },
    { word: 'river', weight: 3, isName: false },
    { word: 'bread', weight: 1, isName: false },
  ]
  const recalled = (candidates: MemoryCandidate[], k = 5, tokens = 350) =>
    pickMemories(scoreMemories(candidates, terms), { k, tokens })
  const rows: [what: string, texts: string[], ids: number[]][] = [
    ['the heaviest words first', ['A river, some bread.', 'A sword in the river.'], [2, 1]],
    ['one plain word is not enough', ['A sword.'], []],
    ['one name is enough', ['She is called Marta.'], [1]],
    ['far below the best is dropped', ['Marta threw a sword into the river.', 'A bit of river bread.'], [1]],
    ['of two equals the newer comes first', ['Old sword, old river.', 'Marsh sword; gone river!'], [2, 1]],
    ['a near duplicate is dropped', ['Red sword, red river, cold.', 'Red sword, red river, cold!'], [2]],
    ['nothing in common, nothing recalled', ['The moon.', 'The sun.'], []],
  ]
  for (const [what, texts, ids] of rows)
    test(what, () => {
      const ranked = recalled(texts.map(candidate))
      expect(ranked.map(({ id }) => id)).toEqual(ids)
    })

  test('gives the reason', () => {
    const [first] = recalled([candidate('Marta has a sword.', 0)])
    expect(first).toMatchObject({ terms: ['sword', 'marta'], via: 'words' })
    expect(first?.score).toBeGreaterThan(0)
  })

  test('pinned memories come first, even without a word in common', () => {
    const candidates = [candidate('A sword in the river.', 0), { ...candidate('The moon.', 1), pinned: true }]
    const ranked = recalled(candidates)
    expect(ranked.map(({ id, via }): [number, string] => [id, via])).toEqual([
      [2, 'pinned'],
      [1, 'words'],
    ])
  })

  test('a memory that does not fit leaves room for a shorter one', () => {
    const candidates = [
      candidate('Marta, sword, river, bread, and much else.', 0),
      candidate('sword river', 1),
    ]
    const tokens = estimateTokens('sword river')
    expect(recalled(candidates, 5, tokens).map(({ id }) => id)).toEqual([2])
  })

  test('never returns more than k memories or more than the tokens, in a stable order', () => {
    const words = fc.constantFrom('sword', 'river', 'marta', 'bread', 'moon', 'key', 'door', 'ship')
    const texts = fc.array(fc.array(words, { maxLength: 8 }), { maxLength: 20 })
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 0, max: 60 }),
        (lists, k, tokens) => {
          const candidates = lists.map((list, index) => candidate(list.join(' '), index))
          const ranked = recalled(candidates, k, tokens)
          expect(ranked.length).toBeLessThanOrEqual(k)
          expect(ranked.reduce((sum, { text }) => sum + estimateTokens(text), 0)).toBeLessThanOrEqual(tokens)
          expect(recalled(candidates.toReversed(), k, tokens)).toEqual(ranked)
        },
      ),
    )
  })
})

describe('fusing words and vectors', () => {
  const rows: [what: string, words: number[], rankings: Hit[][], fused: [number, string][]][] = [
    [
      'words alone, before any memory has a vector',
      [1, 2],
      [],
      [
        [1, 'words'],
        [2, 'words'],
      ],
    ],
    ['what stands out needs no words', [], [[outstanding(1), unfit(2)]], [[1, 'vector']]],
    ['nothing that merely fits', [], [[fitting(1), fitting(2)]], []],
    ['what words found must fit', [1, 2], [[fitting(2), unfit(1)]], [[2, 'words']]],
    ['one of the rankings is enough', [1], [[unfit(1)], [fitting(1)]], [[1, 'words']]],
    ['a memory without a vector is found by its words', [1, 2], [[unfit(2)]], [[1, 'words']]],
    [
      'a memory in both lists beats the first of either',
      [1, 2],
      [[outstanding(3), outstanding(2), fitting(4), fitting(5), fitting(1)]],
      [
        [2, 'both'],
        [1, 'words'],
        [3, 'vector'],
      ],
    ],
    [
      'each ranking counts',
      [],
      [
        [outstanding(1), outstanding(2)],
        [outstanding(2), unfit(1)],
      ],
      [
        [2, 'vector'],
        [1, 'vector'],
      ],
    ],
  ]
  for (const [what, words, rankings, expected] of rows)
    test(what, () =>
      expect(merged(words.map(wordHit), rankings).map(({ id, via }): [number, string] => [id, via])).toEqual(
        expected,
      ),
    )

  test('two words of the player’s line speak for a memory that does not fit; one does not', () => {
    const hit = { ...wordHit(1), terms: ['sword', 'river'] }
    expect(merged([hit], [[unfit(1)]], 'throw the swords into the river')).toHaveLength(1)
    expect(merged([hit], [[unfit(1)]], 'throw the swords away')).toHaveLength(0)
  })

  test('a pinned memory stays, whatever its vector says', () =>
    expect(merged([{ ...wordHit(1), pinned: true, via: 'pinned' }], [[unfit(1)]])).toHaveLength(1))

  test('a memory gains 1 / (60 + rank) from each list', () => {
    expect(merged([wordHit(1)], [[outstanding(1)], [fitting(1)]])[0]?.score).toBeCloseTo(3 / 61, 10)
  })

  test('the result can be picked from', () => {
    const fused = merged([wordHit(1)], [[outstanding(2), fitting(1)]])
    expect(pickMemories(fused, { k: 1, tokens: 350 }).map(({ id }) => id)).toEqual([1])
  })
})

/** A hit in a ranking whose order says its rank. */
type Hit = Omit<VectorHit, 'rank'>

function merged(words: RecalledText[], rankings: Hit[][], line = ''): RecalledText[] {
  const ids = new Set(rankings.flat().flatMap(({ id, standsOut }) => (standsOut ? [id] : [])))
  const ranked = rankings.map((hits) => hits.map((hit, index): VectorHit => ({ ...hit, rank: index + 1 })))
  return mergeRankings(words, { rankings: ranked, outstanding: [...ids].map(about), line })
}

function candidate(text: string, index: number): MemoryCandidate {
  return { id: index + 1, text, source_end: index * 6 + 5, pinned: false, bm25: -1 }
}

function wordHit(id: number): RecalledText {
  return { ...about(id), terms: ['sword'], score: 1, via: 'words', isPast: false }
}

function outstanding(id: number): Hit {
  return { id, standsOut: true, fits: true }
}

function fitting(id: number): Hit {
  return { id, standsOut: false, fits: true }
}

function unfit(id: number): Hit {
  return { id, standsOut: false, fits: false }
}

function about(id: number) {
  return { id, text: `Memory number ${'x'.repeat(id)}`, source_end: 5, pinned: false }
}
