import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseQuery, searchExpression } from '../../../src/domain/search/query.ts'
import { indexedText } from '../../../src/domain/search/trigrams.ts'
import { foldSearch } from '../../../src/lib/fold-text.ts'

const TABLE: [typed: string, wanted: string[], unwanted?: string[]][] = [
  ['', []],
  ['   \t\n ', []],
  ['lantern', ['LANTERN']],
  ['Lantern, rock!', ['LANTERN', 'ROCK']],
  ['lantern lantern', ['LANTERN']],
  ['"the lantern  room"', ['THE LANTERN ROOM']],
  ['“the lantern room”', ['THE LANTERN ROOM']],
  ['"never closed', ['NEVER CLOSED']],
  ['say"cheese now"', ['SAY', 'CHEESE NOW']],
  ['""', []],
  ['keeper -lantern', ['KEEPER'], ['LANTERN']],
  ['keeper -"lantern room"', ['KEEPER'], ['LANTERN ROOM']],
  ['keeper –lantern', ['KEEPER'], ['LANTERN']],
  ['-lantern', [], ['LANTERN']],
  ['keeper - lantern', ['KEEPER', 'LANTERN']],
  ['well-known', ['WELL-KNOWN']],
  ["don't", ["DON'T"]],
  ['don’t', ["DON'T"]],
  ['cat OR dog', ['CAT', 'OR', 'DOG']],
  ['cat AND NOT dog', ['CAT', 'AND', 'NOT', 'DOG']],
  ['NEAR(cat dog, 2)', ['NEAR(CAT', 'DOG', '2']],
  ['text:cat', ['TEXT:CAT']],
  ['owner : cat', ['OWNER', 'CAT']],
  ['cat*', ['CAT']],
  ['^cat', ['^CAT']],
  ['{cat} + dog', ['CAT', 'DOG']],
  ['(((', ['(((']],
  ['%_%', ['%_%']],
  ["'; DROP TABLE search_words; --", ['DROP', 'TABLE', 'SEARCH_WORDS']],
  ['a\0bc', ['A', 'BC']],
  ['\u0001cat\u0002', ['CAT']],
  ['🐉', ['🐉']],
  ['❤️', ['❤']],
  ['ox', ['OX']],
  ['?', []],
  ['...', ['...']],
  ['C++', ['C++']],
  ['STRASSE', ['STRASSE']],
  ['Straße', ['STRASSE']],
  ['Ｆｕｌｌ', ['FULL']],
  ['猫', ['猫']],
  ['你好　世界', ['你好', '世界']],
  ['\ud800cat', ['\ufffdCAT']],
]

describe('what a player types', () => {
  const db = new Database(':memory:')
  db.run("CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'trigram case_sensitive 1')")
  const matches = (expression: string) =>
    db.query('SELECT rowid FROM words WHERE words MATCH ?').all(expression)

  for (const [typed, wanted, unwanted = []] of TABLE)
    test(JSON.stringify(typed), () => {
      const query = parseQuery(typed)
      expect(query).toEqual({ wanted, unwanted })
      const expression = searchExpression(query)
      expect(expression === '').toBe(wanted.length === 0)
      if (expression) matches(expression)
    })

  test('is a string in the expression, whatever it holds', () => {
    matches(searchExpression({ wanted: ['A"B OR text'], unwanted: ['"-"'] }))
  })

  test('of 10,000 characters counts as far as a player can see', () => {
    const query = parseQuery('keeper '.repeat(1_500))
    expect(query.wanted).toEqual(['KEEPER', 'KEEP'])
    matches(searchExpression(parseQuery('x'.repeat(10_000))))
    matches(searchExpression(parseQuery('龍 '.repeat(5_000))))
  })

  test('is never an expression that the index does not understand', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(...'ab" -*^(){}:+,.%\0\'NOTAND猫ก🐉é') as fc.Arbitrary<string>,
          maxLength: 40,
        }),
        (typed) => {
          const expression = searchExpression(parseQuery(typed))
          if (expression) matches(expression)
        },
      ),
    )
  })

  test('finds the text that it was taken from', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.nat(),
        fc.integer({ min: 3, max: 9 }),
        (text, at, length) => {
          const characters = [...foldSearch(text)]
          const taken = characters
            .slice(at % (characters.length + 1))
            .slice(0, length)
            .join('')
          const expression = searchExpression(parseQuery(`"${taken}"`))
          if (
            [...taken.trim()].length < 3 ||
            expression === '' ||
            taken.includes('"') ||
            taken.includes('  ')
          )
            return
          db.run('DELETE FROM words')
          db.query('INSERT INTO words (text) VALUES (?)').run(indexedText([text]))
          expect(matches(expression)).toHaveLength(1)
        },
      ),
      { numRuns: 500 },
    )
  })
})
