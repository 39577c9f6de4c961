import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

interface Sentences {
  completeIn(text: string): { sentences: string[]; used: number }
  sentencesIn(text: string): string[]
  firstSentence(text: string, mayGrow: boolean): { words: string; start: number; end: number } | null
  seemsEnded(text: string): boolean
}

// A file of the page's: it has no types.
const { completeIn, firstSentence, seemsEnded, sentencesIn }: Sentences = await import(
  `${import.meta.dir}/../../public/story/sentences.js`
)

describe('a passage is said in sentences', () => {
  test.each<[string, string[]]>([
    ['The door opens. You go in.', ['The door opens.', 'You go in.']],
    ['He waits… Then he goes…', ['He waits…', 'Then he goes…']],
    ['“Who is there?” Nobody answers.', ['“Who is there?”', 'Nobody answers.']],
    ['"Stop!" she calls. "Stop."', ['"Stop!" she calls.', '"Stop."']],
    ['Well... all right. No?! Yes.', ['Well... all right.', 'No?!', 'Yes.']],
    ['Mr. Smith and Dr. Hale met.', ['Mr. Smith and Dr. Hale met.']],
    ['It costs 3.50 at 4.30 p.m. sharp.', ['It costs 3.50 at 4.30 p.m. sharp.']],
    [
      '灯が消えた。誰だ？「止まれ。」と声がした。',
      ['灯が消えた。', '誰だ？', '「止まれ。」', 'と声がした。'],
    ],
    ['Тихо. — Кто там? — Никого.', ['Тихо.', '— Кто там?', '— Никого.']],
    ['من هناك؟ لا أحد.', ['من هناك؟', 'لا أحد.']],
    ['*No.* She **runs**. 2 * 3 is 6.', ['No.', 'She runs.', '2 * 3 is 6.']],
    [
      'A heading\n\nA line\nand the next.\n\n* * *\n\nAnother',
      ['A heading', 'A line and the next.', 'Another'],
    ],
    ['It breaks off in the', ['It breaks off in the']],
    ['…\n\n---', []],
  ])('%j', (text, sentences) => expect(sentencesIn(text)).toEqual(sentences))

  test.each<[string, number]>([
    ['The door opens.', 0],
    ['The door opens. ', 0],
    ['“The door opens. “', 0],
    ['The door opens. Y', 1],
    ['The door opens.\n\n', 1],
    ['“Stop!” s', 0],
    ['止まれ。', 0],
    ['止まれ。と', 1],
  ])('%j has %i that nothing to come can change', (text, count) =>
    expect(completeIn(text).sentences).toHaveLength(count),
  )

  test('however it comes in pieces, each is said once and in its order', () => {
    const word = fc.constantFrom(
      'Door',
      'lamp',
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
      ' ',
      '\n\n',
      '*',
    )
    fc.assert(
      fc.property(fc.array(fc.array(word), { maxLength: 12 }), (pieces) => {
        const said: string[] = []
        let told = ''
        for (const piece of pieces) {
          told += piece.join('')
          const { sentences, used } = completeIn(told)
          said.push(...sentences)
          told = told.slice(used)
        }
        expect([...said, ...sentencesIn(told)]).toEqual(sentencesIn(pieces.flat().join('')))
      }),
    )
  })

  test('one by one, as all at once, with its place', () => {
    const text = ' … *Mr. Hale* waits.  “Who is there?”\n— No one'
    const said: string[] = []
    const shown: string[] = []
    let at = 0
    for (;;) {
      const found = firstSentence(text.slice(at), false)
      if (!found) break
      said.push(found.words)
      shown.push(text.slice(at + found.start, at + found.end))
      at += found.end
    }
    expect(shown).toEqual(['*Mr. Hale* waits.', '“Who is there?”', '— No one'])
    expect(said).toEqual(sentencesIn(text))
    expect(firstSentence('— No one', true)).toBeNull()
    expect(firstSentence('One. Two', true)).toEqual({ words: 'One.', start: 0, end: 4 })
  })

  test.each<[string, boolean]>([
    ['The door opens.', true],
    ['“Who?” ', true],
    ['止まれ。」', true],
    ['The door', false],
    ['', false],
  ])('%j seems ended: %p', (text, is) => expect(seemsEnded(text)).toBe(is))
})
