import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { typographic } from '../../../src/domain/text/typography.ts'

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
  ['en', 'He shouts--"*****Run!" Then', 'He shouts—“*****Run!” Then'],
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
  ['en', 'Say `"a"--` or ``"b"`` "now"', 'Say `"a"--` or ``"b"`` “now”'],
  ['en', '```json\n{"a": "b"}\n\n"c"...\n```\n"Yes."', '```json\n{"a": "b"}\n\n"c"...\n```\n“Yes.”'],
  ['en', 'it`s "so"', 'it`s “so”'],
  ['en-US', '"Run!" he said.', '“Run!” he said.'],
  ['pt-BR', '"Corre!"', '“Corre!”'],
  ['ja', '"A" -- it\'s...', '"A" -- it\'s...'],
  ['und', '"A" -- it\'s...', '"A" -- it\'s...'],
]

describe('text is shown with the marks of its language', () => {
  for (const [language, stored, shown] of CASES)
    test(`${language}: ${stored}`, () => expect(typographic(stored, language)).toBe(shown))

  test('and no letter of it is lost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const letters = (all: string) => all.replace(/["'.\-“”‘’—…]/g, '')
        expect(letters(typographic(text, 'en'))).toBe(letters(text))
      }),
    )
  })
})
