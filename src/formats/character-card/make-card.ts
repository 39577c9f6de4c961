import { splitKeys } from '../../domain/cards/keys.ts'
import { coverArt } from '../../domain/default-cover.ts'
import type { PortableScenario } from '../../domain/portable/portable.ts'
import { tagList } from '../../domain/scenario.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { head, scenarioBody } from '../inglenook/make-scenario.ts'
import { makeGradientPng } from '../picture/gradient-png.ts'
import { makePngWithTexts } from '../picture/png-text.ts'

const WIDTH = 400
const HEIGHT = 600

/**
 * A scenario as a character card in a picture, with both chunks that are in use (character-card-spec-v2 and -v3). The
 * newer one takes the whole scenario along, so that nothing is lost on the way back. `cover` is a PNG, or null for a
 * plain one.
 */
export function makeCharacterPng(
  scenario: PortableScenario,
  cover: Uint8Array | null,
  at: Date,
): Uint8Array<ArrayBuffer> {
  const { from, to } = coverArt(scenario.title)
  const picture = cover ?? makeGradientPng(from, to, WIDTH, HEIGHT)
  return makePngWithTexts(picture, {
    chara: packed({ spec: 'chara_card_v2', spec_version: '2.0', data: dataOf(scenario) }),
    ccv3: packed({
      spec: 'chara_card_v3',
      spec_version: '3.0',
      data: thirdData(scenario, at),
    }),
  })
}

function dataOf(scenario: PortableScenario) {
  return {
    name: scenario.title,
    description: macros(scenario.memory),
    personality: '',
    scenario: '',
    first_mes: macros(scenario.prompt),
    mes_example: '',
    creator_notes: scenario.description,
    system_prompt: macros(scenario.ai_instructions),
    post_history_instructions: '',
    alternate_greetings: [],
    tags: tagList(scenario.tags),
    creator: '',
    character_version: '',
    extensions: {
      depth_prompt: { prompt: macros(scenario.authors_note), depth: 4, role: 'system' },
    },
    ...(scenario.story_cards.length === 0
      ? {}
      : { character_book: { extensions: {}, entries: scenario.story_cards.map(entryOf) } }),
  }
}

function thirdData(scenario: PortableScenario, at: Date) {
  const data = dataOf(scenario)
  const { character_book } = data
  return {
    ...data,
    group_only_greetings: [],
    ...(character_book === undefined
      ? {}
      : {
          character_book: {
            ...character_book,
            entries: character_book.entries.map((entry) => ({ ...entry, use_regex: false })),
          },
        }),
    extensions: {
      ...data.extensions,
      inglenook: { ...head('inglenook-scenario', at), ...scenarioBody(scenario) },
    },
  }
}

function entryOf({ type, name, keys, entry, notes }: CardFields, place: number) {
  return {
    keys: splitKeys(keys),
    content: macros(entry),
    extensions: { type },
    enabled: true,
    insertion_order: place,
    name,
    comment: notes,
    constant: false,
    selective: false,
    secondary_keys: [],
    case_sensitive: false,
    position: 'before_char',
  }
}

/** The one question that such programs know the answer to. */
function macros(text: string): string {
  return text.replaceAll('${Your name}', '{{user}}')
}

function packed(card: object): string {
  return new TextEncoder().encode(JSON.stringify(card)).toBase64()
}
