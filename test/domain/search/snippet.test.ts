import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseQuery } from '../../../src/domain/search/query.ts'
import { snippetOf } from '../../../src/domain/search/snippet.ts'

/** The snippet with its hits in brackets. */
function shown(texts: string[], typed: string): string | undefined {
  return snippetOf(texts, parseQuery(typed))
    ?.map(({ text, hit }) => (hit ? `[${text}]` : text))
    .join('')
}

const TABLE: [text: string, typed: string, shown: string | undefined][] = [
  ['The keeper climbs.', 'KEEP', 'The [keep]er climbs.'],
  ['Die Straße nach Süden', 'strasse suden', 'Die [Straße] nach [Süden]'],
  ['Die Straße', 'stras', 'Die [Straß]e'],
  ['Über den Fluss', 'uber', '[Über] den Fluss'],
  ['U\u0308ber den Fluss', 'über', '[Über] den Fluss'],
  ['Смотритель зажёг лампу', 'ЗАЖЕГ', 'Смотритель [зажёг] лампу'],
  ['ὁ λόγος', 'ΛΟΓΟΣ', 'ὁ [λόγος]'],
  ['猫が窓から飛び出した', '窓', '猫が[窓]から飛び出した'],
  ['我们在图书馆见面', '图书', '我们在[图书]馆见面'],
  ['แมวกระโดดออกจากหน้าต่าง', 'หน้าต่าง', 'แมวกระโดดออกจาก[หน้าต่าง]'],
  ['ガラス と ｶﾞﾗｽ', 'ガラス', '[ガラス] と [ｶﾞﾗｽ]'],
  ['The fox and the ox.', 'ox', 'The fox and the [ox].'],
  ['Wait… no.', 'wait...', '[Wait]… no.'],
  ['The lantern.', 'antern', undefined],
  ['O’Malley’s well, known.', "o'malley well-known", '[O’Malley]’s [well, known].'],
  ['a 🐉 over <b>the</b> roof', '🐉 <b>', 'a [🐉] over <[b]>the</[b]> roof'],
  ['aaaa', 'aaa', '[aaa]a'],
  ['aaaa', '"aaa"', undefined],
  ['keeper', 'lantern', undefined],
  ['keeper lantern', 'keeper -lantern', undefined],
]

describe('a snippet', () => {
  for (const [text, typed, expected] of TABLE)
    test(`${text} / ${typed}`, () => expect(shown(['', text], typed)).toBe(expected))

  test('comes from the title only when nothing else holds a word', () => {
    expect(shown(['The Lantern', 'A rock.'], 'lantern rock')).toBe('A [rock].')
    expect(shown(['The Lantern', 'A rock.'], 'lantern')).toBe('The [Lantern]')
  })

  test('is cut at words, and between characters where there are none', () => {
    const long = shown(
      ['', `${'The sea goes on. '.repeat(40)}A lamp. ${'The sea goes on. '.repeat(40)}`],
      'lamp',
    )
    expect(long).toMatch(/^… on\. The sea .* A \[lamp\]\. The sea .* …$/)
    const close = shown(['', `${'海'.repeat(500)}灯台${'🐉'.repeat(500)}`], '灯台') ?? ''
    expect(close.isWellFormed()).toBe(true)
    expect([...close].length).toBeLessThan(260)
  })

  test('is a piece of the text, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 3, maxLength: 400 }), fc.nat(), (text, at) => {
        const typed = `"${[...text]
          .slice(at % (text.length - 2))
          .slice(0, 4)
          .join('')}"`
        const parts = snippetOf(['', text], parseQuery(typed))
        if (parts === null) return
        const whole = parts
          .filter(({ text }) => text !== '… ' && text !== ' …')
          .map(({ text }) => text)
          .join('')
        expect(text.normalize('NFC')).toContain(whole)
        expect(parts.some(({ hit }) => hit)).toBe(true)
      }),
    )
  })
})
