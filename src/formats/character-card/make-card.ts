import { compilePattern } from '../../domain/cards/pattern.ts'
import { coverArt } from '../../domain/default-cover.ts'
import type { PortableScenario } from '../../domain/portable/portable.ts'
import { tagList } from '../../domain/scenario.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { head, scenarioBody } from '../inglenook/make-scenario.ts'
import { insertionOrderIn } from '../lore/insertion-order.ts'
import { OWN_LABELS } from '../lore/lorebook.ts'
import { loreTriggers, USUAL_ORDER } from '../lore/make-lore.ts'
import { loreRecursion, loreTiming, recursAmong } from '../lore/timing.ts'
import { makeGradientPng } from '../picture/gradient-png.ts'
import { makePngWithTexts } from '../picture/png-text.ts'
import { withMacros } from '../shared/macros.ts'
import { makeZip } from '../zip/make-zip.ts'
import { CARD_HASH, cardHash } from './card-hash.ts'
import { instructionsIn, originIn, personaIn } from './character-texts.ts'

const WIDTH = 400
const HEIGHT = 600

/** A scenario as a character card of version 3 in JSON, which takes the whole scenario along. */
export function makeCharacterJson(scenario: PortableScenario, at: Date): string {
  return JSON.stringify(makeThirdCard(scenario, at))
}

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
  return makePngWithTexts(coverPng(scenario, cover), {
    chara: packed({ spec: 'chara_card_v2', spec_version: '2.0', data: dataOf(scenario) }),
    ccv3: packed(makeThirdCard(scenario, at)),
  })
}

/** The picture of a card: the cover, or a plain one. */
function coverPng({ title }: PortableScenario, cover: Uint8Array | null): Uint8Array {
  const { from, to } = coverArt(title)
  return cover ?? makeGradientPng(from, to, WIDTH, HEIGHT)
}

function dataOf(scenario: PortableScenario) {
  const name = withMacros(scenario.title)
  const { notes, creator, version, nickname } = originIn(scenario.description)
  const char = nickname || name
  const asTemplate = (text: string) => withMacros(text, char)
  const { description, personality, scenario: scene } = personaIn(scenario, nickname || scenario.title)
  const { system, last } = instructionsIn(scenario.ai_instructions)
  return {
    name,
    description: asTemplate(description),
    personality: asTemplate(personality),
    scenario: asTemplate(scene),
    first_mes: asTemplate(scenario.prompt),
    mes_example: asTemplate(scenario.example_dialogue),
    creator_notes: withMacros(notes),
    system_prompt: asTemplate(system),
    post_history_instructions: asTemplate(last),
    alternate_greetings: scenario.greetings.map(asTemplate),
    tags: tagList(scenario.tags),
    creator,
    character_version: version,
    extensions: {
      depth_prompt: { prompt: asTemplate(scenario.authors_note), depth: 4, role: 'system' },
    },
    ...(scenario.story_cards.length === 0
      ? {}
      : {
          character_book: {
            extensions: {},
            ...(recursAmong(scenario.story_cards) ? { recursive_scanning: true } : {}),
            entries: entriesOf(scenario.story_cards, char),
          },
        }),
  }
}

/** Tells if RisuAI may take the triggers of an entry as patterns: then it takes all of them so. */
function areAllPatterns(keys: readonly string[]): boolean {
  return keys.length > 0 && keys.every((key) => compilePattern(key))
}

/** A scenario as a card of version 3, which takes the whole scenario along. */
function makeThirdCard(scenario: PortableScenario, at: Date) {
  return { spec: 'chara_card_v3', spec_version: '3.0', data: thirdData(scenario, at) }
}

function thirdData(scenario: PortableScenario, at: Date) {
  const data = dataOf(scenario)
  const { character_book } = data
  const { nickname } = originIn(scenario.description)
  return {
    ...data,
    ...(nickname === '' ? {} : { nickname }),
    group_only_greetings: [],
    ...(character_book === undefined
      ? {}
      : {
          character_book: {
            ...character_book,
            entries: character_book.entries.map((entry) => ({
              ...entry,
              use_regex: areAllPatterns(entry.keys),
            })),
          },
        }),
    extensions: {
      ...data.extensions,
      inglenook: { ...head('inglenook-scenario', at), ...scenarioBody(scenario) },
      [CARD_HASH]: cardHash(data),
    },
  }
}

function entriesOf(cards: readonly CardFields[], char: string) {
  const hasOrder = cards.some(({ notes }) => insertionOrderIn(notes).order !== null)
  const book = { char, recurses: recursAmong(cards), hasOrder }
  return cards.map((card, place) => entryOf(card, place, book))
}

interface Book {
  char: string
  /** True if its entries trigger each other. */
  recurses: boolean
  /** Its entries have an insertion order of their own, not only that of the cards. */
  hasOrder: boolean
}

function entryOf(
  { type, name, keys, entry, notes, timing }: CardFields,
  place: number,
  { char, recurses, hasOrder }: Book,
) {
  const { notes: own, order } = insertionOrderIn(notes)
  const { keys: primary, secondary, logic, constant, enabled, isWhole } = loreTriggers(withMacros(keys))
  return {
    keys: primary,
    content: withMacros(entry, char),
    extensions: {
      [OWN_LABELS]: { type, notes: own },
      selectiveLogic: logic,
      ...(isWhole === undefined ? {} : { match_whole_words: isWhole }),
      ...loreTiming(timing),
      ...(recurses ? loreRecursion(timing, 'card') : {}),
    },
    enabled,
    insertion_order: order ?? (hasOrder ? USUAL_ORDER : place),
    name,
    // SillyTavern shows this as the title.
    comment: name,
    constant,
    selective: secondary.length > 0,
    secondary_keys: secondary,
    case_sensitive: false,
    position: 'before_char',
  }
}

function packed(card: object): string {
  return new TextEncoder().encode(JSON.stringify(card)).toBase64()
}

/** The specification's path of the first picture (character-card-spec-v3, "embeded" is its spelling). */
const ICON = 'assets/icon/images/main.png'

/** A scenario as a character card of version 3 in a zip archive, with its picture beside it. `cover` as for a PNG. */
export function makeCharx(
  scenario: PortableScenario,
  cover: Uint8Array | null,
  at: Date,
): Generator<Uint8Array> {
  const { data, ...card } = makeThirdCard(scenario, at)
  const assets = [{ type: 'icon', uri: `embeded://${ICON}`, name: 'main', ext: 'png' }]
  return makeZip([
    {
      name: 'card.json',
      bytes: new TextEncoder().encode(JSON.stringify({ ...card, data: { ...data, assets } })),
    },
    { name: ICON, bytes: coverPng(scenario, cover), stored: true },
  ])
}
