import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  foldName,
  foldQuote,
  foldSearch,
  foldSearchWithOffsets,
  foldTrigger,
  foldWord,
} from '../../src/lib/fold-text.ts'

const COMPOSED = 'É'
const DECOMPOSED = 'E\u0301'

describe('each strength of folding', () => {
  const TABLE: [fold: (text: string) => string, text: string, folded: string][] = [
    [foldName, '  The KEEPER ', 'the keeper'],
    [foldName, ` ${DECOMPOSED}mile\n`, 'émile'],
    [foldWord, COMPOSED, 'e'],
    [foldWord, 'ไม่', 'ไม'],
    [foldWord, 'X9', 'x9'],
    [foldQuote, '“It’s”, ﬁne — ½!', 'ITSFINE12'],
    [foldQuote, 'Straße', 'STRASSE'],
    [foldTrigger, ' Keeper’s \t Lamp ', "keeper's lamp"],
    [foldTrigger, DECOMPOSED, 'é'],
    [foldTrigger, 'ΟΔΟΣ', 'οδοσ'],
    [foldTrigger, 'İz', 'iz'],
    [foldSearch, 'Naïve “Ｆｕｌｌ”\tstraße—ς', 'NAIVE "FULL" STRASSE-Σ'],
    [foldSearch, 'ไม่', 'ไม่'],
    [foldSearch, 'ｶﾞ', 'ガ'],
    [foldSearch, '\ud800a', '\ufffdA'],
  ]
  for (const [fold, text, folded] of TABLE)
    test(`${fold.name} of ${JSON.stringify(text)}`, () => expect(fold(text)).toBe(folded))

  test('the offsets of a search lead back to the text', () => {
    const { text, folded, offsets } = foldSearchWithOffsets('aßc')
    expect({ text, folded, offsets }).toEqual({ text: 'aßc', folded: 'ASSC', offsets: [0, 1, 1, 2, 3] })
  })

  test('a search folds a text in pieces as it folds each character', () => {
    const unit = fc.constantFrom(...'aE ’—…ßİéё猫ｶﾞก', '\u0301', '\u0e49', '❤️', '\ud800', '\n')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        expect(foldSearch(text)).toBe(foldSearchWithOffsets(text).folded)
      }),
      { numRuns: 2_000 },
    )
  })
})
