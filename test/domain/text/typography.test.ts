import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Typographer, typographic } from '../../../src/domain/text/typography.ts'

/** What is stored, and how it is shown, by language. */
const CASES: [language: string, stored: string, shown: string][] = [
  ['en', '"Run!" he said. "Now."', '“Run!” he said. “Now.”'],
  ['en', "It's the sailors' boat, isn't it?", 'It’s the sailors’ boat, isn’t it?'],
  ['en', `"He said 'stay' and left."`, '“He said ‘stay’ and left.”'],
  ['en', `"'Stay,' he said."`, '“‘Stay,’ he said.”'],
  ['en', `'Twas the summer of '69. Get 'em!`, '’Twas the summer of ’69. Get ’em!'],
  ['en', '*"Wait,"* she says. "*Wait.*"', '*“Wait,”* she says. “*Wait.*”'],
  ['en', 'The door -- oak -- is shut.', 'The door — oak — is shut.'],
  ['en', '"I never--" She stops.', '“I never—” She stops.'],
  ['en', 'He points--"There!"--and runs.', 'He points—“There!”—and runs.'],
  ['en', 'He points--"***There!***"', 'He points—“***There!***”'],
  ['en', 'So... you came.... At last', 'So… you came.... At last'],
  ['en', 'One\n---\nTwo\n\n-----', 'One\n---\nTwo\n\n-----'],
  ['en', '- one-way\n- two', '- one-way\n- two'],
  ['en', 'Lord ---- of the ------', 'Lord —— of the ———'],
  ['en', '("No.") ["Yes."]', '(“No.”) [“Yes.”]'],
  ['en', '“Already” set — so it stays…', '“Already” set — so it stays…'],
  ['en', '"Whoa! " you ask. "Who is it? "\n\n"I. " ', '“Whoa! ” you ask. “Who is it? ”\n\n“I. ” '],
  ['en', '"Never closed.\n\nThen " and "then"', '“Never closed.\n\nThen “ and “then”'],
  ['de', '"Komm", sagt er. "Wie geht\'s?"', '„Komm“, sagt er. „Wie geht’s?“'],
  ['fr', `"Viens", dit-il. L'eau monte...`, '«\u202fViens\u202f», dit-il. L’eau monte…'],
  ['ru', '"Иди", говорит он.', '«Иди», говорит он.'],
  ['pl', '"Chodź", mówi.', '„Chodź”, mówi.'],
  ['nl', `"Kom", zegt hij. 's Avonds`, `“Kom”, zegt hij. 's Avonds`],
  ['en', 'Say `"a"--` or ``b `"c"` d`` "now"', 'Say `"a"--` or ``b `"c"` d`` “now”'],
  ['en', '```json\n{"a": "b"}\n\n"c"...\n```\n"Yes."', '```json\n{"a": "b"}\n\n"c"...\n```\n“Yes.”'],
  ['en', 'A stray {"a":{"b":"..."}} "here"', 'A stray {"a":{"b":"..."}} “here”'],
  ['en', '{ "a": 1,\n\n"So" {it} "is"', '{ "a": 1,\n\n“So” {it} “is”'],
  ['en', 'Never `"closed"\n"So"', 'Never `"closed"\n“So”'],
  ['en', 'it`s "so"', 'it`s “so”'],
  ['en-US', '"Run!" he said.', '“Run!” he said.'],
  ['pt-BR', '"Corre!"', '“Corre!”'],
  ['ja', '"A" -- it\'s...', '"A" -- it\'s...'],
  ['und', '"A" -- it\'s...', '"A" -- it\'s...'],
]

describe('text is shown with the marks of its language', () => {
  for (const [language, stored, shown] of CASES)
    test(`${language}: ${stored}`, () => expect(typographic(stored, language)).toBe(shown))

  test('however it comes in parts', () => {
    const characters = fc.constantFrom(...`"'-.* \na1tis“—{}`, '`')
    fc.assert(
      fc.property(fc.array(fc.string({ unit: characters, maxLength: 6 })), (parts) => {
        const typographer = new Typographer('en')
        const told = parts.map((part) => typographer.add(part)).join('') + typographer.end()
        expect(told).toBe(typographic(parts.join(''), 'en'))
      }),
      { numRuns: 2_000 },
    )
  })

  test('and what comes is shown, however many marks of emphasis stand before it', () => {
    const typographer = new Typographer('en')
    expect(typographer.add('He shouts--"*****Run!" Then nothing.')).toBe('He shouts—”*****Run!” Then nothing')
  })

  test('and no letter of it is lost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const letters = (all: string) => all.replace(/["'.\-“”‘’—…]/g, '')
        expect(letters(typographic(text, 'en'))).toBe(letters(text))
      }),
    )
  })
})
