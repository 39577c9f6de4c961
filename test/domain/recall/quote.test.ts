import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { lineTerms } from '../../../src/domain/recall/line-terms.ts'
import { quoteOf } from '../../../src/domain/recall/passage-notes.ts'

const LONG = 'Rain falls on the road, and nobody comes. '.repeat(8)

test('a short passage is quoted in full, on one line', () => {
  expect(quoteOf('> You say "Mara,\n\nwait!"', lineTerms('Mara'))).toBe('You say "Mara, wait!"')
})

test('of a long passage the sentences are quoted that the line speaks of', () => {
  const text = `${LONG}Orla hides the compass. ${LONG}`
  const quote = quoteOf(text, lineTerms('Where are the compasses?'))
  expect(quote).toContain('Orla hides the compass.')
  expect(quote.startsWith('… ')).toBe(true)
  expect(quote.endsWith(' …')).toBe(true)
  expect(quoteOf(text, lineTerms('ferry'))).toBe(
    `${'Rain falls on the road, and nobody comes. '.repeat(5).trim()} …`,
  )
})

test('a quote is never much longer than its limit, and never breaks a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), fc.string(), (text, line) => {
      const quote = quoteOf(text, lineTerms(line))
      expect(quote.length).toBeLessThanOrEqual(246)
      expect(quote.isWellFormed()).toBe(true)
    }),
  )
  expect(quoteOf('🜁'.repeat(500), []).isWellFormed()).toBe(true)
})
