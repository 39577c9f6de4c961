import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseQuery, type SearchTerm, searchExpression } from '../../../src/domain/search/query.ts'
import { snippetOf } from '../../../src/domain/search/snippet.ts'
import { indexedText, wordsOf } from '../../../src/domain/search/words.ts'
import { foldSearch } from '../../../src/lib/fold-text.ts'
import { runs } from '../../support/depth.ts'

/** As words, with a * behind the beginning of one. */
const TABLE: [typed: string, wanted: string[], unwanted?: string[]][] = [
  ['', []],
  ['   \t\n ', []],
  ['lantern', ['LANTERN*']],
  ['Lantern, rock!', ['LANTERN*', 'ROCK*']],
  ['lantern lantern', ['LANTERN*']],
  ['"the lantern  room"', ['THE LANTERN ROOM']],
  ['“the lantern room”', ['THE LANTERN ROOM']],
  ['"lantern"', ['LANTERN']],
  ['"never closed', ['NEVER CLOSED*']],
  ['say"cheese now"', ['SAY*', 'CHEESE NOW']],
  ['""', []],
  ['keeper -lantern', ['KEEPER*'], ['LANTERN*']],
  ['keeper -"lantern room"', ['KEEPER*'], ['LANTERN ROOM']],
  ['keeper –lantern', ['KEEPER*'], ['LANTERN*']],
  ['-lantern', [], ['LANTERN*']],
  ['keeper - lantern', ['KEEPER*', 'LANTERN*']],
  ['well-known', ['WELL KNOWN*']],
  ["don't", ['DON T']],
  ['don’t', ['DON T']],
  ['cat OR dog', ['CAT*', 'OR', 'DOG*']],
  ['cat AND NOT dog', ['CAT*', 'AND*', 'NOT*', 'DOG*']],
  ['NEAR(cat dog, 2)', ['NEAR CAT*', 'DOG*', '2']],
  ['text:cat', ['TEXT CAT*']],
  ['owner : cat', ['OWNER*', 'CAT*']],
  ['cat*', ['CAT*']],
  ['^cat', ['CAT*']],
  ['{cat} + dog', ['CAT*', 'DOG*']],
  ['(((', []],
  ['%_%', []],
  ["'; DROP TABLE search_index; --", ['DROP*', 'TABLE*', 'SEARCH INDEX*']],
  ['a\0bc', ['A', 'BC']],
  ['\u0001cat\u0002', ['CAT*']],
  ['🐉', ['🐉']],
  ['👩‍🚀🇫🇷', ['👩 🚀 🇫 🇷']],
  ['❤️', ['❤']],
  ['ox', ['OX']],
  ['?', []],
  ['...', []],
  ['C++', ['C']],
  ['STRASSE', ['STRASSE*']],
  ['Straße', ['STRASSE*']],
  ['Ｆｕｌｌ', ['FULL*']],
  ['猫', ['猫']],
  ['你好　世界', ['你 好', '世 界']],
  ['แมว', ['แ ม ว']],
  ['בית', ['ב י ת']],
  ['фонарь', ['ФОНАРЬ*']],
  ['\ud800cat', ['CAT*']],
]
const written = ({ words, isBeginning }: SearchTerm) => `${words.join(' ')}${isBeginning ? '*' : ''}`
const listed = (typed: string) => {
  const { wanted, unwanted } = parseQuery(typed)
  return [wanted.map(written), unwanted.map(written)]
}
const letters = fc.constantFrom(
  ...'aZ9" -*^(){}:+,.%\0\'_éßŁфёÅ猫図ガกี่ก고אبक🐉❤️🇫é\u1dc4\u200d¶…',
  'NOT',
) as fc.Arbitrary<string>

describe('what a player types', () => {
  const db = new Database(':memory:')
  db.run("CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'ascii')")
  db.run("CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, 'instance')")
  const matches = (expression: string) =>
    db.query('SELECT rowid FROM words WHERE words MATCH ?').all(expression)
  const indexOnly = (text: string) => {
    db.run('DELETE FROM words')
    db.query('INSERT INTO words (text) VALUES (?)').run(indexedText([text]))
  }
  const inFull = (typed: string) => searchExpression(parseQuery(typed), () => null)

  for (const [typed, wanted, unwanted = []] of TABLE)
    test(JSON.stringify(typed), () => {
      expect(listed(typed)).toEqual([wanted, unwanted])
      const expression = inFull(typed)
      expect(expression === '').toBe(wanted.length === 0)
      if (expression) matches(expression)
    })

  test('is looked for by the words that the index has', () => {
    const expression = searchExpression(parseQuery('old lan -"sea"'), (word) =>
      word === 'LAN' ? ['lane', 'lantern'] : null,
    )
    expect(expression).toBe('("OLD" * AND ("LAN" OR "lane" OR "lantern")) NOT "SEA"')
    matches(expression)
  })

  test('of 10,000 characters counts as far as a player can see', () => {
    const typed = 'keeper '.repeat(1_500)
    expect(listed(typed)).toEqual([['KEEPER*', 'KEEP*'], []])
    matches(inFull('x'.repeat(10_000)))
    matches(inFull('龍 '.repeat(5_000)))
  })

  test('is never an expression that the index does not understand', () => {
    fc.assert(
      fc.property(fc.string({ unit: letters, maxLength: 40 }), (typed) => {
        const expression = inFull(typed)
        if (expression) matches(expression)
      }),
    )
  })

  test('is compared with the same words that the index has', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: letters, maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 40 })),
        (text) => {
          indexOnly(text)
          const indexed = db
            .query<{ term: string }, []>('SELECT term FROM vocabulary ORDER BY doc, offset')
            .all()
          const words = wordsOf(foldSearch(text)).map(({ word }) => word.replace(/[A-Z]+/g, lower))
          expect(indexed.map(({ term }) => term)).toEqual(words)
        },
      ),
      { numRuns: runs(2_000) },
    )
  })

  test('finds the text that it was taken from', () => {
    const found = new Set<boolean>()
    fc.assert(
      fc.property(
        fc.string({ unit: letters, maxLength: 60 }),
        fc.nat(),
        fc.integer({ min: 1, max: 6 }),
        (text, at, length) => {
          const words = wordsOf(foldSearch(text)).map(({ word }) => word)
          const taken = words.slice(at % (words.length + 1)).slice(0, length)
          if (taken.length === 0) return
          indexOnly(text)
          for (const typed of [`"${taken.join(' ')}"`, `"${taken.join(' ')}`]) {
            expect(matches(inFull(typed))).toHaveLength(1)
            expect(snippetOf(['', text], parseQuery(typed))?.some(({ hit }) => hit)).toBe(true)
          }
          found.add(true)
        },
      ),
      { numRuns: runs(500) },
    )
    expect(found).toContain(true)
  })
})

function lower(ascii: string): string {
  return ascii.toLowerCase()
}
