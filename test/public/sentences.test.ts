import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

interface Sentence {
  words: string
  start: number
  end: number
}

// A file of the page's: it has no types.
const { sentencesIn }: { sentencesIn(text: string, language: string): Sentence[] } = await import(
  `${import.meta.dir}/../../public/story/sentences.js`
)
const wordsIn = (text: string, language = '') => sentencesIn(text, language).map(({ words }) => words)

describe('a passage is said in sentences', () => {
  test.each<[string, string[]]>([
    ['The door opens. You go in.', ['The door opens.', 'You go in.']],
    ['“Who is there?” Nobody answers.', ['“Who is there?”', 'Nobody answers.']],
    ['"Stop." She calls. "Stop."', ['"Stop."', 'She calls.', '"Stop."']],
    ['Well... all right. No?! Yes.', ['Well... all right.', 'No?!', 'Yes.']],
    ['Mr. Smith and Dr. Hale met.', ['Mr. Smith and Dr. Hale met.']],
    ['It costs 3.50 at 4.30 p.m. sharp.', ['It costs 3.50 at 4.30 p.m. sharp.']],
    ['灯が消えた。誰だ？', ['灯が消えた。', '誰だ？']],
    ['من هناك؟ لا أحد.', ['من هناك؟', 'لا أحد.']],
    [
      'A heading\n\nA line\nand the next.\n\n***\n\nAnother',
      ['A heading', 'A line and the next. ***', 'Another'],
    ],
    ['It breaks off in the', ['It breaks off in the']],
    [' …\n\n---', []],
  ])('%j', (text, sentences) => expect(wordsIn(text)).toEqual(sentences))

  test('as its language ends them', () =>
    expect(wordsIn('Ποιος είναι; Μπαίνεις.', 'el')).toEqual(['Ποιος είναι;', 'Μπαίνεις.']))

  test('each of which has its place, and none overlaps another', () => {
    const part = fc.constantFrom(
      'Door',
      'x',
      '3.5',
      '…',
      '.',
      '!',
      '?”',
      '“',
      '。',
      '「',
      ' ',
      '\n',
      '\n\n',
      '*',
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('')
        let before = 0
        for (const { words, start, end } of sentencesIn(text, '')) {
          expect(start).toBeGreaterThanOrEqual(before)
          expect(text.slice(start, end).replace(/\s+/g, ' ')).toBe(words)
          before = end
        }
      }),
    )
  })

  test('however it comes in pieces, all but the last of which are said at once', () => {
    const word = fc.constantFrom('Door', 'lamp', 'x', '3.5', '.', '!', '?”', '“', '。', ' ', ' ', '\n\n')
    fc.assert(
      fc.property(fc.array(fc.array(word), { maxLength: 12 }), (pieces) => {
        const said: string[] = []
        let told = ''
        for (const piece of pieces) {
          told += piece.join('')
          const sentences = sentencesIn(told, '')
          told = told.slice(sentences.pop()?.start ?? 0)
          said.push(...sentences.map(({ words }) => words))
        }
        const spoken = [...said, ...wordsIn(told)].join(' ').replace(/\P{L}/gu, '')
        expect(spoken).toBe(pieces.flat().join('').replace(/\P{L}/gu, ''))
      }),
    )
  })
})
