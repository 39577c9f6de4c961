import { describe, expect, test } from 'bun:test'
import { type Adventure, UNTITLED_ADVENTURE } from '../../src/domain/adventure.ts'
import { StoryError } from '../../src/domain/errors.ts'
import { layOut, messagesOf, type PromptInput } from '../../src/domain/prompt/layout.ts'
import { estimateTokens } from '../../src/domain/prompt/tokens.ts'
import type { Settings } from '../../src/domain/settings.ts'
import { EMPTY_CARD } from '../../src/domain/story-card.ts'

const settings: Settings = {
  endpoint_url: '',
  model: '',
  api_mode: 'chat',
  temperature: 1,
  max_output_tokens: 200,
  reasoning_max_tokens: 0,
  context_token_budget: 4000,
  read_timeout_seconds: 300,
  narrator_prompt: 'You narrate.',
  summary_model: '',
  embedding_model: '',
  memory_bank_capacity: 80,
  memory_top_k: 5,
}
const adventure: Adventure = {
  id: 1,
  scenario_id: null,
  title: UNTITLED_ADVENTURE,
  memory: '',
  authors_note: '',
  ai_instructions: '',
  story_summary: '',
  auto_summarize: false,
  memory_bank_enabled: false,
  created_at: '',
  updated_at: '',
  action_count: 0,
}
const told = (...actions: [type: string, text: string][]) =>
  actions.map(([type, text]) => ({ type, text })).reverse()
const prompt = (input: Partial<PromptInput>) =>
  layOut({
    world: null,
    settings,
    adventure,
    cards: [],
    history: [],
    ...input,
  })
const spoken = (input: Partial<PromptInput>) =>
  messagesOf(prompt(input).parts)
    .map(({ role, text }) => `${role[0]}: ${text}`)
    .slice(1)

describe('the story in a prompt', () => {
  const cases: [what: string, actions: [string, string][], messages: string[]][] = [
    ['begins with a blank page', [], ['u: Begin the story.']],
    [
      'begins with its opening',
      [['start', 'Dusk.']],
      ['u: Begin the story.', 'a: Dusk.', 'u: Go on with the story.'],
    ],
    [
      'takes turns',
      [
        ['start', 'Dusk.'],
        ['do', '> You wait.'],
      ],
      ['u: Begin the story.', 'a: Dusk.', 'u: > You wait.'],
    ],
    [
      'puts a line where the player said nothing',
      [
        ['start', 'Dusk.'],
        ['ai', 'Rain.'],
      ],
      ['u: Begin the story.', 'a: Dusk.', 'u: Go on with the story.', 'a: Rain.', 'u: Go on with the story.'],
    ],
    [
      'joins two lines that wait',
      [
        ['start', 'Dusk.'],
        ['do', '> You wait.'],
        ['say', '> You say "Hm."'],
      ],
      ['u: Begin the story.', 'a: Dusk.', 'u: > You wait.\n\n> You say "Hm."'],
    ],
    [
      'leaves blank passages out',
      [
        ['start', ' \n'],
        ['do', '> You wait.'],
      ],
      ['u: > You wait.'],
    ],
  ]
  for (const [what, actions, messages] of cases)
    test(what, () => expect(spoken({ history: told(...actions) })).toEqual(messages))

  test('has lore and the author’s note just before the newest line', () => {
    const card = {
      ...EMPTY_CARD,
      id: 7,
      scenario_id: null,
      adventure_id: 1,
      name: 'Lamp',
      keys: 'lamp',
      entry: 'It burns.',
    }
    const laid = prompt({
      adventure: { ...adventure, authors_note: 'Calm.' },
      cards: [card],
      history: told(['start', 'A lamp.'], ['do', '> You wait.']),
    })
    expect(messagesOf(laid.parts).at(-1)?.text).toBe(
      "World lore: It burns.\n\n[Author's note: Calm.]\n\n> You wait.",
    )
    expect(laid.cards).toEqual([{ id: 7, name: 'Lamp', keyword: 'lamp', included: true }])
  })
})

describe('what is left out when there is no room', () => {
  const long = told(
    ['start', 'Dusk.'],
    ...Array.from({ length: 80 }, (_, i): [string, string] => [
      i % 2 ? 'ai' : 'do',
      `Passage ${i}. ${'word '.repeat(60)}`,
    ]),
  )

  test('are the oldest passages, never the newest', () => {
    const { parts, tokens, history } = prompt({ history: long })
    expect(tokens.total).toBeLessThanOrEqual(4000 - 200)
    expect(history.included).toBeLessThan(80)
    expect(
      messagesOf(parts)
        .map(({ text }) => text)
        .join(),
    ).toContain('Passage 79.')
    expect(
      messagesOf(parts)
        .map(({ text }) => text)
        .join(),
    ).not.toContain('Passage 0.')
  })

  test('is a card that is too long, and the prompt says so', () => {
    const card = {
      ...EMPTY_CARD,
      id: 7,
      scenario_id: null,
      adventure_id: 1,
      keys: 'word',
      entry: 'x '.repeat(9000),
    }
    expect(prompt({ cards: [card], history: long }).cards).toMatchObject([{ included: false }])
  })

  test('a prompt that cannot fit is refused with its numbers', () => {
    const crowded = { ...adventure, memory: 'word '.repeat(5000) }
    expect(() => prompt({ adventure: crowded })).toThrow(StoryError)
    expect(() => prompt({ adventure: crowded })).toThrow(/about \d+ tokens and only \d+ are free/)
  })

  test('the history is asked for no further than it is shown', () => {
    let asked = 0
    function* counted() {
      for (const action of long) {
        asked++
        yield action
      }
    }
    const { history } = prompt({ history: counted() })
    expect(asked).toBeLessThanOrEqual(history.included + 1)
  })
})

test('the length limit is told in words, and not at all when it is tiny', () => {
  const hints = [800, 60].map((max_output_tokens) =>
    prompt({ settings: { ...settings, max_output_tokens } }).parts.filter(
      ({ label }) => label === 'length_hint',
    ),
  )
  expect(hints).toMatchObject([[{ text: expect.stringContaining('506 words') }], []])
})

test('an estimate of a part is the part of the total', () => {
  const { parts, tokens } = prompt({ history: told(['start', 'Dusk falls on the road.']) })
  expect(tokens.total).toBe(parts.reduce((sum, { text }) => sum + estimateTokens(text) + 4, 0))
})
