import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { estimateTokens } from '../../../src/domain/prompt/tokens.ts'
import { pickMemories, type RecalledText } from '../../../src/domain/recall/memories.ts'

describe('what is picked of found memories', () => {
  const rows: [what: string, found: RecalledText[], k: number, tokens: number, ids: number[]][] = [
    ['the best', ['One sword.', 'Two rivers.', 'Three lamps.'].map(memory), 2, 350, [1, 2]],
    ['pinned ones first', [memory('A sword.', 0), pinned('The moon.', 1)], 5, 350, [2, 1]],
    [
      'no near duplicate',
      ['Red sword, red river, cold.', 'Red sword, red river, cold!'].map(memory),
      5,
      350,
      [1],
    ],
    [
      'a shorter one where one does not fit',
      ['Marta, sword, river, bread, and much else besides.', 'A lamp.'].map(memory),
      5,
      estimateTokens('A lamp.'),
      [2],
    ],
  ]
  for (const [what, found, k, tokens, ids] of rows)
    test(what, () => expect(pickMemories(found, { k, tokens }).map(({ id }) => id)).toEqual(ids))

  test('never more than k memories, or more than the tokens', () => {
    const words = fc.constantFrom('sword', 'river', 'marta', 'bread', 'moon', 'key', 'door', 'ship')
    const texts = fc.array(fc.array(words, { maxLength: 8 }), { maxLength: 20 })
    fc.assert(
      fc.property(texts, fc.nat(9), fc.nat(60), (lists, k, tokens) => {
        const picked = pickMemories(
          lists.map((list, i) => memory(list.join(' '), i)),
          { k, tokens },
        )
        expect(picked.length).toBeLessThanOrEqual(k)
        expect(picked.reduce((sum, { text }) => sum + estimateTokens(text), 0)).toBeLessThanOrEqual(tokens)
      }),
    )
  })
})

function memory(text: string, index: number): RecalledText {
  return { id: index + 1, text, source_end: 5, pinned: false, terms: [], via: 'words', isPast: false }
}

function pinned(text: string, index: number): RecalledText {
  return { ...memory(text, index), pinned: true, via: 'pinned' }
}
