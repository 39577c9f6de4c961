import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isFormOf, isQuestion, lineTerms } from '../../../src/domain/recall/line-terms.ts'
import { foldedWords, wordsOf } from '../../../src/domain/search/words.ts'
import { foldSearch } from '../../../src/lib/fold-text.ts'

const words = (line: string) => lineTerms(line).map((term) => term.words.join('+'))

test('a line is looked for by the words that say something, each once', () => {
  expect(words('> You say "Where is the old key of the abbey, the KEY of 1312?"')).toEqual([
    'OLD',
    'KEY',
    'ABBEY',
    '1312',
  ])
  expect(words('I walk on.')).toEqual(['WALK'])
  expect(words('Wo ist die Größe der Straße?')).toContain('STRASSE')
})

test('characters of a script without words are looked for in pairs, and alone where they stand alone', () => {
  expect(words('图书馆')).toEqual(['图+书', '书+馆'])
  expect(words('火 the lamp')).toEqual(['火', 'LAMP'])
  expect(words('מפתח')).toEqual(['מ+פ', 'פ+ת', 'ת+ח'])
})

test('forms of a word share a beginning, in any alphabet', () => {
  const isForm = (one: string, other: string) => {
    const [term] = lineTerms(other)
    return term !== undefined && isFormOf(one, term)
  }
  expect(isForm('LANTERNS', 'lantern')).toBe(true)
  expect(isForm('ALLERGIES', 'allergic')).toBe(true)
  expect(isForm('ФОНАРЯМИ', 'фонарь')).toBe(true)
  expect(isForm('LANTERNS', 'landlord')).toBe(false)
  expect(isForm('CAT', 'cats')).toBe(false)
  expect(isForm('A12045', 'A12046')).toBe(false)
  expect(isForm('A12045', 'A12045')).toBe(true)
})

test('a question is known by its mark, in any script', () => {
  for (const line of ['Who?', '谁？', 'من؟']) expect(isQuestion(line)).toBe(true)
  expect(isQuestion('I walk on.')).toBe(false)
})

test('the folded words of a text are the same, whether it is ASCII or not', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.oneof(fc.constantFrom(' ', '-', "'", '.', 'ß', 'é'), fc.string()) }),
      (text) => {
        expect(foldedWords(text)).toEqual(wordsOf(foldSearch(text)).map(({ word }) => word))
      },
    ),
  )
})
