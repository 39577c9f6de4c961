import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { joinedSentences, sentenceSpans } from '../../../src/domain/text/sentence-spans.ts'

const sentences = (text: string) => sentenceSpans(text).map(({ start, end }) => text.slice(start, end))

describe('the sentences of a passage', () => {
  const cases: [name: string, text: string, sentences: string[]][] = [
    ['end with their marks', 'Rain. Wind! Snow?', ['Rain.', 'Wind!', 'Snow?']],
    ['keep closing quotation marks', '“Go.” She went.', ['“Go.”', 'She went.']],
    ['keep abbreviations', 'Dr. Hale waits. So do you.', ['Dr. Hale waits.', 'So do you.']],
    ['end with their paragraph', 'A sign: NO ENTRY\n\nYou go on.', ['A sign: NO ENTRY', 'You go on.']],
    ['need no mark at the end', ' You stop. Then ', ['You stop.', 'Then']],
    ['need no space in scripts without', '雨が降る。風が吹く。', ['雨が降る。', '風が吹く。']],
    ['are none without words', ' \n\n ', []],
  ]
  for (const [name, text, expected] of cases)
    test(name, () => {
      expect(sentences(text)).toEqual(expected)
    })

  const text = fc.array(
    fc.constantFrom('a', 'Mr', 'É', '.', '!', '…', '。', '“', '”', ' ', '\n', '- ', '1.', '😀'),
  )

  test('leave out nothing but blanks', () => {
    fc.assert(
      fc.property(text, (pieces) => {
        const whole = pieces.join('')
        let at = 0
        for (const { start, end } of sentenceSpans(whole)) {
          expect(whole.slice(at, start).trim()).toBe('')
          expect(start).toBeLessThan(end)
          at = end
        }
        expect(whole.slice(at).trim()).toBe('')
      }),
      { numRuns: 500 },
    )
  })

  test('that follow each other are joined, with the blanks between them', () => {
    const whole = 'One. Two.\n\nThree. Four. Five.'
    const joined = (...chosen: number[]) =>
      joinedSentences(sentenceSpans(whole), (i) => chosen.includes(i)).map(({ start, end }) =>
        whole.slice(start, end),
      )
    expect(joined(1, 2)).toEqual(['Two.\n\nThree.'])
    expect(joined(0, 3, 4, 9)).toEqual(['One.', 'Four. Five.'])
    expect(joined()).toEqual([])
  })
})
