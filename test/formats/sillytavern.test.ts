import { describe, expect, test } from 'bun:test'
import type { PortableScenario } from '../../src/domain/portable/portable.ts'
import { makeCharacterJson, makeCharacterPng } from '../../src/formats/character-card/make-card.ts'
import { parseFile } from '../../src/formats/detect.ts'
import { parseTexts } from '../../src/formats/picture/png-text.ts'
import { isFullLane } from '../support/depth.ts'
import { pngWith } from '../support/files/card-png.ts'
import { AT, LAMP_ROAD } from '../support/files/portable.ts'
import { sillyTavern } from '../support/files/sillytavern.ts'
import { SAMPLES } from './samples.ts'

/** A card as people share them: a book, three greetings, a picture. */
const CARD = {
  spec: 'chara_card_v2',
  spec_version: '2.0',
  data: {
    name: 'Odo',
    description: 'A broker.\n\n{{char}} lends to {{user}}.',
    personality: 'dry',
    scenario: 'A market.',
    first_mes: '{{user}}, sit.',
    mes_example: '<START>\n{{user}}: hi\n{{char}}: Sit.',
    creator_notes: 'For two.',
    system_prompt: 'Be dry.',
    post_history_instructions: 'Stay dry.',
    alternate_greetings: ['Stand, {{user}}.', 'Leave.', 'Who sent you?'],
    tags: ['market', 'dry'],
    creator: 'M., of the inn',
    character_version: '1.2',
    extensions: { talkativeness: '0.5' },
    character_book: {
      name: 'Market',
      extensions: {},
      entries: [
        {
          keys: ['scale'],
          secondary_keys: [],
          content: 'It is false.',
          name: 'Scale',
          comment: 'Scale',
          enabled: true,
        },
        {
          keys: ['ledger', 'book'],
          content: 'It is thick.',
          name: 'Ledger',
          comment: 'Ledger',
          enabled: false,
        },
      ].map((entry, i) => ({ ...entry, extensions: {}, insertion_order: 100 + i, id: i })),
    },
  },
}

// The package is fetched, 38 MB.
describe.skipIf(!isFullLane)('SillyTavern itself', () => {
  test('reads each card that we write, and finds nothing wrong with it', async () => {
    const { read, validatorOf } = await sillyTavern()
    const scenarios = SAMPLES.flatMap(({ bytes, name }) => parseFile(bytes, name).scenarios)
    for (const scenario of [LAMP_ROAD, ...scenarios]) {
      const json = makeCharacterJson(scenario, AT)
      const picture = Buffer.from(makeCharacterPng(scenario, pngWith([]), AT))
      expect(JSON.parse(read(picture))).toEqual(JSON.parse(json))
      const third = validatorOf(JSON.parse(json))
      expect([third.validateV3(), third.lastValidationError]).toEqual([true, null])
      const second = validatorOf(JSON.parse(secondCard(picture)))
      expect([second.validateV2(), second.lastValidationError]).toEqual([true, null])
    }
  })

  test('gets a card of its own back through us, field by field', async () => {
    const { read, write } = await sillyTavern()
    const given = write(Buffer.from(pngWith([])), JSON.stringify(CARD))
    const [scenario] = parseFile(given, 'odo.png').scenarios as [PortableScenario]
    const { data } = JSON.parse(read(Buffer.from(makeCharacterPng(scenario, null, AT))))
    const { character_book: book, extensions: _, ...texts } = CARD.data
    expect(data).toMatchObject(texts)
    expect(data.character_book.entries).toHaveLength(book.entries.length)
    for (const [i, { keys, content, name, enabled }] of book.entries.entries())
      expect(data.character_book.entries[i]).toMatchObject({ keys, content, name, enabled })
  })
})

/** The card of the second version in a picture. */
function secondCard(picture: Uint8Array): string {
  return Buffer.from(
    parseTexts(picture)
      .find(({ keyword }) => keyword === 'chara')
      ?.read() ?? '',
    'base64',
  ).toString()
}
