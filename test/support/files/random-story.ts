import fc from 'fast-check'
import {
  type PortableAction,
  type PortableAdventure,
  withoutSoleVariant,
} from '../../../src/domain/portable/portable.ts'
import { LAMP_ROAD } from './portable.ts'

/** A sentence of any characters. */
export const prose = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => `${text.trim()}.`)
const line = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.trim())
const time = fc.constantFrom('2026-03-01T09:00:00.000Z', '2026-11-05T23:59:59.999Z', null)

const variant = fc.record({ text: prose, reasoning: fc.option(prose), created_at: time })

const told: fc.Arbitrary<PortableAction> = fc
  .record({ variants: fc.array(variant, { minLength: 1, maxLength: 3 }), live: fc.nat(2) })
  .map(({ variants, live }) => {
    const variant_index = Math.min(live, variants.length - 1)
    const { text = '', reasoning = null, created_at = null } = variants[variant_index] ?? {}
    return { ...EMPTY, type: 'ai', text, reasoning, created_at, variants, variant_index }
  })

const ownWords = (type: 'do' | 'say' | 'story') =>
  fc.record({ text: prose, created_at: time, mark: fc.option(line) }).map(
    ({ mark, ...own }): PortableAction => ({
      ...EMPTY,
      ...own,
      type,
      variants: [],
      ...(mark === null ? {} : { mark }),
    }),
  )

/** What an action has that nothing was recorded of. */
export const EMPTY = {
  reasoning: null,
  variant_index: 0,
  cut: null,
  world_delta: null,
  world_state_before: null,
} as const

const card = fc.record({ type: line, name: line, keys: line, entry: prose, notes: line })

const proposal = fc.record({
  passage: fc.constant(0),
  name: line,
  keys: line,
  entry: prose,
  quote: prose,
  answer: fc.constantFrom(null, 'accepted' as const, 'declined' as const),
})

/** Stories of our own with any characters in them: the opening, versions, the player's lines, cards, memories. */
export const randomStory: fc.Arbitrary<PortableAdventure> = fc
  .record({
    title: prose,
    memory: prose,
    authors_note: prose,
    ai_instructions: line,
    example_dialogue: line,
    story_summary: line,
    auto_summarize: fc.boolean(),
    memory_bank_enabled: fc.boolean(),
    propose_cards: fc.boolean(),
    language: fc.constantFrom('', 'de', 'pt-BR'),
    placeholders: fc.dictionary(prose, line, { maxKeys: 3 }),
    story_cards: fc.array(card, { maxLength: 4 }),
    actions: fc.array(fc.oneof(told, ownWords('do'), ownWords('say'), ownWords('story')), { maxLength: 12 }),
    card_proposals: fc.array(proposal, { maxLength: 3 }),
    memories: fc.array(
      fc.record({
        text: prose,
        no_longer: prose,
        pinned: fc.boolean(),
        forgotten: fc.boolean(),
        use_count: fc.nat(9),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ story_cards, memories, actions, ...fields }) => ({
    ...fields,
    scenario: LAMP_ROAD,
    stat_schema: {},
    world_state: {},
    summary: null,
    story_cards: story_cards.map((one) => ({ ...one, source_ref: null })),
    memories: memories.map((one) => ({ ...one, stale: false, source_start: null, source_end: null })),
    actions: [
      { ...EMPTY, type: 'start', text: 'Dusk.', created_at: null, variants: [] },
      ...actions.map(withoutSoleVariant),
    ],
  }))
