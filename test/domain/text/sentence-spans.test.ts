import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { breaksOff, joinedSentences, sentenceSpans } from '../../../src/domain/text/sentence-spans.ts'

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

describe('a text breaks off', () => {
  const cases: [name: string, text: string, breaksOff: boolean][] = [
    ['in a sentence after another', 'You stop. Then', true],
    ['in a long line', 'You stop.\n\nBehind the wall somebody begins to play the', true],
    ['within quotation marks', '“Go,” she says. “Before the tide', true],
    ['with a letter that has accents', 'Il pleut. Tu entres dans le cafe\u0301', true],
    ['but not at the end of a sentence', 'You stop. “Then go!”', false],
    ['but not where somebody is interrupted', '“Stop. If you go in there you will—', false],
    ['but not at the end of a letter', 'I must write no more. Yours, very sincerely,', false],
    ['but not at a sign or a title', 'You stop.\n\nNO ENTRY', false],
    ['but not in a heading or a quote', 'You stop.\n\n> It is late. Do not wait', false],
    ['but not where nothing ends a sentence', 'เรือเฟอร์รี่ลำเก่าข้ามอ่าวไปในคืนที่หมอกลงจัดและเงียบสงบ', false],
    ['but not without words', ' ', false],
  ]
  for (const [name, text, expected] of cases)
    test(name, () => {
      expect(breaksOff(text)).toBe(expected)
    })
})
