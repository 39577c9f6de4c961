import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { formatLine, typedWords } from '../../../src/domain/text/player-line.ts'

describe('the stored form of what a player typed', () => {
  const cases: [type: 'do' | 'say' | 'story', typed: string, stored: string][] = [
    ['do', 'You open the door', '> You open the door.'],
    ['do', '  open door!', '> You open door!'],
    ['do', 'look…', '> You look…'],
    ['do', 'look:', '> You look:.'],
    ['do', 'you', '> You you.'],
    ['do', 'youth', '> You youth.'],
    ['do', 'YOU run', '> You run.'],
    ['say', 'hello', '> You say "hello."'],
    ['say', '"Hi!"', '> You say "Hi!"'],
    ['say', '“Hi”', '> You say "Hi."'],
    ['say', 'I said "no"', '> You say "I said "no"."'],
    ['say', '"Yes" and "no"', '> You say ""Yes" and "no"."'],
    ['story', '  The wind.  ', 'The wind.'],
    ['story', 'No stop', 'No stop'],
  ]
  for (const [type, typed, stored] of cases)
    test(`${type} ${typed}`, () => expect(formatLine(type, typed)).toBe(stored))
})

test('words that came back with an undo are stored as they were when they are sent again', () => {
  const type = fc.constantFrom('do' as const, 'say' as const, 'story' as const)
  // What begins with the hero's own "you" loses it once and for all.
  const typed = fc
    .string({ minLength: 1, unit: 'grapheme' })
    .filter((text) => text.trim() !== '' && !/^\s*["“]*\s*you /i.test(text))
  fc.assert(
    fc.property(type, typed, (type, text) => {
      const stored = formatLine(type, text)
      expect(formatLine(type, typedWords(type, stored))).toBe(stored)
    }),
  )
})
