import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { cardMatcher } from '../../src/domain/cards/card-triggers.ts'
import type { CardFields } from '../../src/domain/story-card.ts'
import { makeCharacterJson } from '../../src/formats/character-card/make-card.ts'
import { makeWorldInfo } from '../../src/formats/lore/make-lore.ts'
import { runs } from '../support/depth.ts'
import { AT } from '../support/files/portable.ts'
import { isTold, type WorldEntry } from '../support/files/sillytavern-reader.ts'
import { read } from './samples.ts'

const WORDS = [
  ...['king', 'looking', 'Kings', 'KING', 'old mill', 'mill', 'Rome, Italy', 'C++', 'Mr. Fox', 'x/and/or/y'],
  ...['/drag(on|oon)s?/i', '/Ki[n]g/', '/and/or/', '/[a/b]x/', 'dragoon', '-5', '*bows*'],
]
const key = fc.constantFrom(...WORDS)
const text = fc
  .array(fc.tuple(key, fc.constantFrom(' ', ', ', '. ', '', 'x')), { maxLength: 6 })
  .map((parts) => parts.flat().join(''))
const entry = fc.record(
  {
    key: fc.array(key, { maxLength: 3 }),
    keysecondary: fc.array(key, { maxLength: 2 }),
    selective: fc.boolean(),
    selectiveLogic: fc.constantFrom(0, 1, 2, 3),
    constant: fc.constantFrom(false, false, false, true),
    disable: fc.constantFrom(false, false, false, true),
    probability: fc.constantFrom(0, 40, 100, 100, 100, 250),
    useProbability: fc.boolean(),
    caseSensitive: fc.constantFrom(null, false, false, true),
    matchWholeWords: fc.constantFrom(false, true),
  },
  { requiredKeys: ['key', 'keysecondary', 'matchWholeWords'] },
)

/** Tells if a card is told for a text; 'maybe' where a chance decides. */
function isCardTold(card: CardFields, story: string): boolean | 'maybe' {
  const [hit] = cardMatcher([card]).match(story)
  if (hit === undefined || hit.blocked !== undefined) return false
  return card.timing?.how.chance === undefined ? true : 'maybe'
}

/** The same entry in the book of a character card, as SillyTavern writes it. */
function inCard({ key: keys, keysecondary, selective, constant, disable, ...settings }: WorldEntry) {
  const { selectiveLogic, probability, useProbability = false, caseSensitive, matchWholeWords } = settings
  return {
    ...{ keys, secondary_keys: keysecondary, content: 'Lore.', constant, selective, enabled: !disable },
    use_regex: true,
    extensions: {
      ...{ selectiveLogic, probability, useProbability },
      ...{ case_sensitive: caseSensitive, match_whole_words: matchWholeWords },
    },
  }
}

const cardOf = (entries: object[]) => ({
  spec: 'chara_card_v2',
  data: { name: 'Odo', first_mes: 'Sit.', character_book: { entries } },
})

test('an entry of SillyTavern is told here as there, from World Info and from a card', () => {
  const property = fc.property(fc.array(entry, { minLength: 1, maxLength: 5 }), text, (entries, story) => {
    const expected = entries.map((one) => isTold(one, story))
    const { story_cards } = read({ entries: entries.map((one) => ({ ...one, content: 'Lore.' })) })
    expect(story_cards.map((card) => isCardTold(card, story))).toEqual(expected)
    const [scenario] = read(cardOf(entries.map(inCard))).scenarios
    expect(scenario?.story_cards.map((card) => isCardTold(card, story))).toEqual(expected)
  })
  fc.assert(property, { numRuns: runs(500) })
})

test('a script without Latin letters has no whole words there', () => {
  for (const [one, story] of [
    ['Зоя', 'Зояму'],
    ['山川', '大山川'],
  ] as const) {
    const whole = { key: [one], keysecondary: [], matchWholeWords: true, content: 'Lore.' }
    const { story_cards } = read({ entries: [whole] })
    expect(story_cards.map((card) => isCardTold(card, story))).toEqual([isTold(whole, story)])
  }
})

test('what comes from SillyTavern and goes back comes again as it was', () => {
  const property = fc.property(fc.array(entry, { minLength: 1, maxLength: 5 }), (entries) => {
    const { story_cards } = read({ entries: entries.map((one) => ({ ...one, content: 'Lore.' })) })
    expect(read(makeWorldInfo(story_cards)).story_cards).toEqual(story_cards)
    const [scenario] = read(cardOf(entries.map(inCard))).scenarios
    if (!scenario) throw new Error('no scenario')
    const card = JSON.parse(makeCharacterJson(scenario, AT))
    card.data.extensions = {}
    expect(read(card).scenarios[0]?.story_cards).toEqual(scenario.story_cards)
  })
  fc.assert(property, { numRuns: runs(500) })
})
