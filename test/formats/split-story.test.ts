import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { chapterName } from '../../src/domain/text/chapter.ts'
import { splitStory } from '../../src/formats/plain-text/split-story.ts'

const long = 'The lamp burns low over the water. '.repeat(30).trim()
const typed = (text: string) => splitStory(text).map(({ type, text }) => [type, text])

describe('a long text becomes passages', () => {
  const cases: [name: string, text: string, passages: [string, string][]][] = [
    ['short paragraphs stay together', 'One.\n\nTwo.', [['start', 'One.\n\nTwo.']]],
    [
      'a full passage ends',
      `${long}\n\nTwo.`,
      [
        ['start', long],
        ['ai', 'Two.'],
      ],
    ],
    [
      'a scene break',
      'One.\n\n***\n\nTwo.',
      [
        ['start', 'One.'],
        ['ai', '***\n\nTwo.'],
      ],
    ],
    [
      'lines',
      'One.\n> look\nTwo.',
      [
        ['start', 'One.'],
        ['do', '> You look.'],
        ['ai', 'Two.'],
      ],
    ],
    [
      'a line first',
      '> look\nTwo.',
      [
        ['start', ''],
        ['do', '> You look.'],
        ['ai', 'Two.'],
      ],
    ],
    [
      'a heading',
      'One.\n\n## The pier\n\nTwo.',
      [
        ['start', 'One.'],
        ['ai', '## The pier\n\nTwo.'],
      ],
    ],
    [
      'a chapter',
      'One.\n\nChapter 2\n\nTwo.',
      [
        ['start', 'One.'],
        ['ai', '# Chapter 2\n\nTwo.'],
      ],
    ],
    ['no chapter', 'One.\n\nPart of it was gone.', [['start', 'One.\n\nPart of it was gone.']]],
  ]
  for (const [name, text, passages] of cases) test(name, () => expect(typed(text)).toEqual(passages))

  const chapters = [
    'Kapitel 1',
    'CHAPITRE II',
    'Capítulo 3: El faro',
    'Глава 4',
    '第三章 灯台',
    '第十回',
    '제 5 장',
    'פרק ב',
    'Prologue',
  ]
  for (const heading of chapters)
    test(`${heading} begins a chapter`, () => {
      const [, second] = splitStory(`One.\n\n${heading}\n\nTwo.`)
      expect(second && chapterName(second.text)).toBe(heading)
    })

  test('no word is lost, and no passage is long, whatever the text is', () => {
    const piece = fc.constantFrom(
      'One. ',
      '\n',
      '\n\n',
      '***',
      '# Up',
      'Chapter 1',
      'x'.repeat(5_000),
      '\t',
      'lamp '.repeat(900),
      '— ',
    )
    const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}—]+/gu, '')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join('')
        const actions = splitStory(text)
        expect(lettersOf(actions.map((action) => action.text).join(' '))).toBe(lettersOf(text))
        for (const action of actions) expect(action.text.length).toBeLessThan(4_100)
      }),
    )
  })
})
