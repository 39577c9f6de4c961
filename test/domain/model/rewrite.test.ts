import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  findParts,
  partIn,
  rewriteTasks,
  rewrittenWords,
  withParts,
} from '../../../src/domain/model/rewrite.ts'

const PART = {
  before: 'The hall is cold. A lamp burns on the long table.',
  part: 'The door is locked.',
  after: 'Behind you, somebody coughs quietly. You turn.',
}

describe('the requests for new words', () => {
  const [first, second] = rewriteTasks(PART, 'It stands open.')

  test('have the part and the change; only the second has the sentences beside it', () => {
    for (const task of [first, second]) {
      expect(task).toContain('The door is locked.\n\nThe change: It stands open.')
      expect(partIn(task)).toBe(PART.part)
    }
    expect(first).not.toContain('A lamp burns on the long table.')
    expect(second).toContain('A lamp burns on the long table.')
    expect(second).toContain('Behind you, somebody coughs quietly.')
    expect(second).not.toContain('The hall is cold.')
  })

  test('of a whole passage name nothing beside it', () => {
    expect(rewriteTasks({ before: '', part: 'All.', after: ' \n' }, 'Shorter.').join()).not.toContain('“')
  })
})

describe('new words are taken from an answer', () => {
  const cases: [name: string, answer: string, words: string, isCut?: boolean][] = [
    ['as they are', ' The door stands open. \n', 'The door stands open.'],
    [
      'without the sentence before',
      'A lamp burns on the long table. The door stands open.',
      'The door stands open.',
    ],
    [
      'without the sentence after, and what follows it',
      'The door stands open. Behind you, somebody coughs quietly. You turn. It is Brisa.',
      'The door stands open.',
    ],
    [
      'out of the whole passage',
      `${PART.before} The door stands open.\n\n${PART.after}`,
      'The door stands open.',
    ],
    [
      'without a sentence before it in other quotes and spaces',
      'a lamp  burns on the long table. It is open.',
      'It is open.',
    ],
    ['out of JSON', '{"text": "The door stands open."}', 'The door stands open.'],
    ['out of JSON in a fence', '```json\n{"text": "The door\\nstands open."}\n```', 'The door\nstands open.'],
    ['without a neighbour in JSON', '{"text": "A lamp burns on the long table. It is open."}', 'It is open.'],
    ['without quotation marks around them', '“The door stands open.”', 'The door stands open.'],
    [
      'with the quotation marks of speech',
      '“Come in,” says the door. “Now.”',
      '“Come in,” says the door. “Now.”',
    ],
    [
      'up to the last whole sentence if cut off',
      'The door stands open. Beyond it li',
      'The door stands open.',
      true,
    ],
    [
      'of one line where it did not come to an end',
      'It stands open.\nIt stands.\nIt stan',
      'It stands open.',
      true,
    ],
    ['as none if cut off in the first sentence', 'The door sta', '', true],
    ['as none if only what stays is repeated', PART.before, ''],
    [
      'with a short sentence that stands there too',
      'You turn. The door stands open.',
      'You turn. The door stands open.',
    ],
  ]
  for (const [name, answer, words, isCut = false] of cases)
    test(name, () => {
      expect(rewrittenWords(answer, PART, isCut)).toBe(words)
    })

  test('with quotation marks if the part has them', () => {
    const spoken = { ...PART, part: '“Locked,” she says.' }
    expect(rewrittenWords('“Open.”', spoken, false)).toBe('“Open.”')
  })
})

describe('parts of a text', () => {
  test('are found where they stand only once, in order and apart', () => {
    const text = 'No. Yes. No. Perhaps.'
    expect(findParts(text, ['Perhaps.', 'Yes.'])).toEqual([
      { start: 4, end: 8 },
      { start: 13, end: 21 },
    ])
    for (const parts of [['No.'], ['Never.'], ['Yes. No.', 'Yes.'], ['Yes.', 'Yes.']])
      expect(findParts(text, parts)).toBeNull()
  })

  test('are replaced, and every other character stays', () => {
    const pieces = fc.array(
      fc.record({ kept: fc.string({ unit: 'binary' }), old: fc.string(), words: fc.string() }),
    )
    fc.assert(
      fc.property(pieces, fc.string(), (some, end) => {
        let text = ''
        const parts = some.map(({ kept, old, words }) => {
          const start = text.length + kept.length
          text += kept + old
          return { span: { start, end: text.length }, words }
        })
        const expected = some.map(({ kept, words }) => kept + words).join('') + end
        expect(withParts(text + end, parts)).toBe(expected)
      }),
    )
  })
})
