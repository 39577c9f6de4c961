import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isPlayerLine } from '../../../src/domain/action.ts'
import { UNTITLED_ADVENTURE } from '../../../src/domain/adventure.ts'
import { StoryError } from '../../../src/domain/errors.ts'
import { layOutPrompt } from '../../../src/domain/prompt/layout.ts'
import { UNKNOWN_MODEL } from '../../../src/domain/prompt/model-facts.ts'
import type { TurnNotes } from '../../../src/domain/prompt/notes.ts'
import { BEGIN_REQUEST, CONTINUE_REQUEST } from '../../../src/domain/prompt/phrases.ts'
import { messagesOf, type Prompt, type PromptInput } from '../../../src/domain/prompt/prompt.ts'
import { MIN_ENTRIES, type StoryEntry } from '../../../src/domain/prompt/window.ts'
import { OPTIONAL_DEFAULTS } from '../../../src/domain/settings.ts'
import { EMPTY_CARD } from '../../../src/domain/story-card.ts'
import { readRules } from '../../../src/domain/world/rules.ts'
import { instantiate } from '../../../src/domain/world/state.ts'
import { depth } from '../../support/depth.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const LANGUAGES = [
  ['lamp', 'the', 'it’s', '—'],
  ['mærket', 'Überfahrt'],
  ['фонарь', 'φάρος', '…'],
  ['مصباح', 'the'],
  ['灯台', '등대'],
]

function proseOf(words: string[]) {
  const text = (maxLength: number) =>
    fc
      .array(fc.constantFrom(...words), { minLength: 1, maxLength: 30 })
      .chain((some) =>
        fc
          .nat(maxLength)
          .map((length) => `${some.join(' ')} `.repeat(Math.ceil(length / 2)).slice(0, length)),
      )
  const note = fc.record({
    label: fc.constantFrom('world_lore' as const, 'authors_note' as const),
    text: text(200),
  })
  const notes: fc.Arbitrary<TurnNotes> = fc.record({
    before: fc.array(note, { maxLength: 2 }),
    after: fc.array(note, { maxLength: 1 }),
    lore: fc.constant([]),
    memories: fc.constant([]),
    passages: fc.constant([]),
    inputs: fc.constant(''),
  })
  const told = fc
    .array(
      fc.record({
        type: fc.constantFrom('do', 'say', 'story', 'ai', 'ai', 'ai'),
        text: fc.oneof({ weight: 8, arbitrary: text(900) }, { weight: 1, arbitrary: text(20_000) }),
        notes: fc.option(notes),
      }),
      { maxLength: 60 },
    )
    .map((all) => all.map((one, index): StoryEntry => ({ ...one, id: index + 1, index })))
  return fc.record({
    told,
    fields: fc.tuple(text(2_000), text(400), text(400), text(1_000), text(2_000)),
    cards: fc.array(fc.record({ keys: fc.constantFrom(...words), entry: text(600) }), { maxLength: 8 }),
    recalled: fc.array(text(300), { maxLength: 5 }),
  })
}

/** Any story, with any settings, as far along as it likes. */
const anyInput = fc
  .record({
    prose: fc.constantFrom(...LANGUAGES, LANGUAGES.flat()).chain(proseOf),
    budget: fc.integer({ min: 300, max: 9_000 }),
    output: fc.integer({ min: 16, max: 1_200 }),
    factor: fc.constantFrom(0.4, 1, 1, 1, 1.7, 2.5),
    window: fc.option(fc.integer({ min: 300, max: 9_000 })),
    start: fc.option(fc.nat(70)),
  })
  .map(({ prose: { told, fields, cards, recalled }, budget, output, factor, window, start }): PromptInput => {
    const [memory, authors_note, ai_instructions, example_dialogue, story_summary] = fields
    return {
      settings: {
        endpoint_url: '',
        model_file: '',
        model: '',
        api_mode: 'chat',
        temperature: 1,
        max_output_tokens: output,
        reasoning_max_tokens: 0,
        context_token_budget: budget,
        read_timeout_seconds: 300,
        narrator_prompt: 'You narrate.',
        summary_model: '',
        embedding_model: '',
        embedding_endpoint_url: '',
        memory_bank_capacity: 80,
        memory_top_k: 5,
        ...OPTIONAL_DEFAULTS,
      },
      adventure: {
        id: 1,
        scenario_id: null,
        title: UNTITLED_ADVENTURE,
        memory,
        authors_note,
        ai_instructions,
        example_dialogue,
        story_summary,
        auto_summarize: false,
        memory_bank_enabled: true,
        propose_cards: false,
        language: '',
        created_at: '',
        updated_at: '',
        action_count: told.length,
      },
      cards: cards.map((card, i) => ({
        ...EMPTY_CARD,
        ...card,
        id: i + 1,
        scenario_id: null,
        adventure_id: 1,
      })),
      story: {
        since: (index) => told.filter((action) => action.index >= index),
        back: () => told.toReversed(),
      },
      epoch: { start, summary: '', static_mark: '' },
      world: null,
      facts: { ...UNKNOWN_MODEL, window, window_from: '', factor, samples: factor === 1 ? 0 : 1 },
      recall: () => ({
        memories: recalled.map(
          (text, id) => ({ id, text, pinned: false, via: 'words' as const, terms: [] }) as never,
        ),
        passages: [],
      }),
      retold: null,
    }
  })

function laidOut(input: PromptInput): Prompt | null {
  try {
    return layOutPrompt(input)
  } catch (error) {
    if (error instanceof StoryError && error.code === 'prompt_too_large') return null
    throw error
  }
}

/** Another way to count: pieces as a vocabulary makes them of prose like this. */
function pieces(text: string): number {
  return text.match(PIECES)?.length ?? 0
}
const PIECES = / ?\p{Script=Latin}{1,6}|[\p{Script=Han}\p{Script=Hangul}]| ?\p{L}{1,3}|’s| ?./gsu

const RUNS = { numRuns: depth('PROMPTS') }

test('a prompt and its reply fit into the window, whatever the story', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const laid = laidOut(input)
      if (!laid) return
      const { settings, facts } = input
      const window = Math.min(settings.context_token_budget, facts.window ?? Infinity)
      expect(laid.tokens.plain * facts.factor + settings.max_output_tokens).toBeLessThanOrEqual(window)
      const counted = messagesOf(laid.parts).reduce((sum, { text }) => sum + pieces(text) + 4, 0)
      if (facts.factor === 1) expect(counted + settings.max_output_tokens).toBeLessThanOrEqual(window)
    }),
    RUNS,
  )
})

test('its roles take turns, from the user to the user', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const roles = messagesOf(laidOut(input)?.parts ?? []).map(({ role }) => role)
      const said = roles.filter((role) => role !== 'system')
      expect(roles.slice(roles.length - said.length)).toEqual(said)
      expect(said).toEqual(said.map((_, i) => (i % 2 === 0 ? 'user' : 'assistant')))
      if (said.length > 0) expect(said.at(-1)).toBe('user')
    }),
    RUNS,
  )
})

test('it holds the newest of the story without a gap, and every word that waits for an answer', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const laid = laidOut(input)
      if (!laid) return
      const story = [...input.story.back()].filter(({ text }) => text.trim() !== '').toReversed()
      const shown = laid.parts
        .filter(
          ({ label, text }) => label === 'history' && text !== BEGIN_REQUEST && text !== CONTINUE_REQUEST,
        )
        .map(({ text }) => text)
      const due = story.slice(story.length - shown.length).map(({ text }) => text)
      const cut = shown.findIndex((text, i) => text !== due[i])
      if (cut !== -1) {
        // Only a newest passage that is longer than all the room has lost its beginning.
        expect(due[cut]?.endsWith(shown[cut] ?? '')).toBe(true)
        expect(cut).toBe(0)
      }
      expect(shown.slice(cut + 1)).toEqual(due.slice(cut + 1))
      const waiting = story
        .slice(story.findLastIndex(({ type }) => !isPlayerLine(type)) + 1)
        .filter(({ index }) => index >= (laid.epoch.start ?? 0))
      expect(shown.length).toBeGreaterThanOrEqual(Math.min(MIN_ENTRIES, waiting.length))
    }),
    RUNS,
  )
})

/** The same story in a window with room for all of it and its cards, ended by a passage and followed by a line. */
function withRoom(input: PromptInput, line: string | null): PromptInput {
  const told = [...input.story.back()].toReversed().filter(({ text }) => text.length < 1_000)
  const passage: StoryEntry = {
    id: 90,
    index: 90,
    type: 'ai',
    text: 'The lamp and the 灯台 went out.',
    notes: null,
  }
  const lines: StoryEntry[] =
    line === null ? [] : [{ id: 91, index: 91, type: 'do', text: line, notes: null }]
  const story = [...told, passage, ...lines]
  return {
    ...input,
    cards: input.cards.map((card) => ({ ...card, entry: card.entry.slice(0, 80) })),
    settings: { ...input.settings, context_token_budget: 200_000 },
    facts: UNKNOWN_MODEL,
    world: { rules: readRules(LANTERN_ROCK), state: instantiate(LANTERN_ROCK) },
    story: { since: (index) => story.filter((one) => one.index >= index), back: () => story.toReversed() },
  }
}

test('the notes that a server reads ahead are the first of the turn, whatever its line', () => {
  const line = fc.array(fc.constantFrom(...LANGUAGES.flat(), 'Ottoline'), { maxLength: 6 })
  fc.assert(
    fc.property(anyInput, line, (input, words) => {
      const { ahead } = layOutPrompt(withRoom(input, null))
      const { notes } = layOutPrompt(withRoom(input, `> ${words.join(' ')}`))
      expect(notes.before.slice(0, ahead.length)).toEqual(ahead)
    }),
    RUNS,
  )
})
