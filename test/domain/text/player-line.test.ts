import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { formatLine, playerLine, typedWords } from '../../../src/domain/text/player-line.ts'
import { LEFT_AS_TYPED, TYPED_LINES } from './typed-lines.ts'

describe('the stored form of what a player typed', () => {
  const cases: [type: 'do' | 'say' | 'story', typed: string, stored: string][] = [
    ['do', 'You open the door', '> You open the door.'],
    ['do', '  open door!', '> You open door!'],
    ['do', 'look…', '> You look…'],
    ['do', 'look:', '> You look:.'],
    ['do', 'you', '> You.'],
    ['do', 'youth', '> You youth.'],
    ['do', 'YOU run', '> You run.'],
    ['say', 'hello', '> You say "hello."'],
    ['say', '"Hi!"', '> You say "Hi!"'],
    ['say', '“Hi”', '> You say "Hi."'],
    ['say', 'I said "no"', '> You say "I said "no"."'],
    ['say', 'I said "no."', '> You say "I said "no"."'],
    ['say', 'He asked "why?"', '> You say "He asked "why?"."'],
    ['say', '"Yes" and "no"', '> You say "Yes" and "no".'],
    ['say', '"Quoted already," I say.', '> You say "Quoted already."'],
    ['say', '"Run!" I shout', '> You shout, "Run!"'],
    ['say', 'I open my bag', '> You say "I open my bag."'],
    ['say', '你好。', '> You say "你好。"'],
    ['story', '  The wind.  ', 'The wind.'],
    ['story', 'I open my bag', 'I open my bag'],
  ]
  for (const [type, typed, stored] of cases)
    test(`${type} ${typed}`, () => expect(formatLine(type, typed)).toBe(stored))
})

describe('what players type under Do', () => {
  test('there are enough lines to say so', () => {
    expect(new Set(TYPED_LINES.map(([typed]) => typed)).size).toBeGreaterThanOrEqual(200)
  })

  for (const [typed, stored] of TYPED_LINES)
    test(typed, () => {
      const line = playerLine('do', typed)
      expect(line).toEqual({ type: /^["“‘«]|^'[^T]/.test(typed) ? 'say' : 'do', text: stored })
      expect(line.text).not.toContain('""')
    })

  for (const typed of LEFT_AS_TYPED)
    test(`${typed} is left as it is`, () =>
      expect(playerLine('do', typed)).toEqual({ type: 'do', text: `> ${typed}` }))
})

describe('a line in a story of another language', () => {
  const cases: [type: 'do' | 'say' | 'story', typed: string, stored: string, storedType?: string][] = [
    ['do', 'Nimm Krug', '> Nimm Krug'],
    ['do', '> frag Wirtin', '> frag Wirtin'],
    ['do', '„Halt!“, rufe ich', '> „Halt!“, rufe ich', 'say'],
    ['do', '「待って」', '> 「待って」', 'say'],
    ['say', 'Wer ist da?', '> "Wer ist da?"'],
    ['say', 'Guten Abend', '> "Guten Abend"'],
    ['say', '"Guten Abend", sage ich', '> "Guten Abend", sage ich'],
    ['say', '「こんにちは」', '> 「こんにちは」'],
    ['say', 'こんにちは。', '> "こんにちは。"'],
    ['say', 'مرحبا', '> "مرحبا"'],
    ['story', 'Es regnet.', 'Es regnet.'],
    ['do', 'open the door', '> You open the door.'],
    ['say', 'Who are you?', '> You say "Who are you?"'],
  ]
  for (const [type, typed, stored, storedType = type] of cases)
    test(`${type} ${typed}`, () => {
      expect<object>(playerLine(type, typed, false)).toEqual({ type: storedType, text: stored })
    })

  test('comes back as it was typed', () => {
    expect(typedWords('do', '> Nimm Krug')).toBe('Nimm Krug')
    expect(typedWords('say', '> "Guten Abend"')).toBe('Guten Abend')
    expect(typedWords('say', '> "Wer?", frage ich, "Du?"')).toBe('"Wer?", frage ich, "Du?"')
  })
})

describe('words that came back with an undo', () => {
  test('are what was typed, in the second person', () => {
    expect(typedWords('do', '> You open your bag.')).toBe('open your bag')
    expect(typedWords('do', '> While he sleeps you go.')).toBe('While he sleeps you go')
    expect(typedWords('say', '> You say "Hello."')).toBe('Hello')
    expect(typedWords('say', '> You shout, "Run!"')).toBe('You shout, "Run!"')
    expect(typedWords('do', 'Edited by hand.')).toBe('Edited by hand.')
  })

  const isStoredAgain = (type: 'do' | 'say' | 'story', typed: string) => {
    const english = playerLine(type, typed)
    const other = playerLine(type, typed, false)
    expect(playerLine(english.type, typedWords(english.type, english.text))).toEqual(english)
    // English lines among others are kept as well as they can be.
    if (other.text === english.text) return
    expect(playerLine(other.type, typedWords(other.type, other.text), false)).toEqual(other)
  }

  test('are stored as they were when they are sent again', () => {
    for (const [typed] of TYPED_LINES) isStoredAgain('do', typed)
    for (const typed of LEFT_AS_TYPED) isStoredAgain('do', typed)
  })

  test('whatever is done in them', () => {
    const type = fc.constantFrom('do' as const, 'say' as const, 'story' as const)
    const words = fc.constantFrom('I', 'my', 'you', 'You', 'open', "'", ',', '.', '> ', '*', 'the', 'ich')
    const typed = fc.oneof(
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.array(words, { minLength: 1 }).map((parts) => parts.join(' ')),
    )
    fc.assert(
      fc.property(
        type,
        typed.filter((text) => text.trim() !== '' && !/["“„«'‘]/.test(text)),
        isStoredAgain,
      ),
      { numRuns: 3000 },
    )
  })
})
