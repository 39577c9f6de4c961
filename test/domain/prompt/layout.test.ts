import { describe, expect, test } from 'bun:test'
import { type Adventure, UNTITLED_ADVENTURE } from '../../../src/domain/adventure.ts'
import { StoryError } from '../../../src/domain/errors.ts'
import { inOtherWords, layOutPrompt } from '../../../src/domain/prompt/layout.ts'
import { UNKNOWN_MODEL } from '../../../src/domain/prompt/model-facts.ts'
import { LONG_REQUEST, OTHER_REQUEST, REQUEST } from '../../../src/domain/prompt/phrases.ts'
import { messagesOf, type PromptInput } from '../../../src/domain/prompt/prompt.ts'
import { estimateTokens } from '../../../src/domain/prompt/tokens.ts'
import type { Epoch, Story, StoryEntry } from '../../../src/domain/prompt/window.ts'
import { OPTIONAL_DEFAULTS, type Settings } from '../../../src/domain/settings.ts'
import { EMPTY_CARD } from '../../../src/domain/story-card.ts'

const settings: Settings = {
  endpoint_url: '',
  model_file: '',
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
  embedding_endpoint_url: '',
  memory_bank_capacity: 80,
  memory_top_k: 5,
  ...OPTIONAL_DEFAULTS,
}
const adventure: Adventure = {
  id: 1,
  scenario_id: null,
  title: UNTITLED_ADVENTURE,
  memory: '',
  authors_note: '',
  ai_instructions: '',
  example_dialogue: '',
  story_summary: '',
  auto_summarize: false,
  memory_bank_enabled: false,
  propose_cards: false,
  language: '',
  created_at: '',
  updated_at: '',
  action_count: 0,
}
const told = (...actions: [type: string, text: string][]) =>
  actions.map(([type, text], index): StoryEntry => ({ id: index + 1, index, type, text, notes: null }))
const storyOf = (actions: StoryEntry[]): Story => ({
  since: (index) => actions.filter((action) => action.index >= index),
  back: () => actions.toReversed(),
})
const UNOPENED: Epoch = { start: null, summary: '', static_mark: '' }
const prompt = (input: Partial<PromptInput>) =>
  layOutPrompt({
    world: null,
    settings,
    adventure,
    cards: [],
    story: storyOf([]),
    epoch: UNOPENED,
    facts: UNKNOWN_MODEL,
    retold: null,
    ...input,
  })
/** The messages after the static one, without the requests at their ends. */
const spoken = (input: Partial<PromptInput>) =>
  messagesOf(prompt(input).parts.filter(({ label }) => label !== 'request'))
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
    test(what, () => expect(spoken({ story: storyOf(told(...actions)) })).toEqual(messages))

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
      story: storyOf(told(['start', 'A lamp.'], ['do', '> You wait.'])),
    })
    expect(messagesOf(laid.parts).at(-1)?.text).toBe(
      `World lore: Lamp: It burns.\n\n[Author's note: Calm.]\n\n> You wait.\n\n${REQUEST}`,
    )
    expect(laid.cards).toMatchObject([
      { id: 7, name: 'Lamp', keyword: 'lamp', included: true, reason: 'shown' },
    ])
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
    const { parts, tokens, history } = prompt({ story: storyOf(long) })
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
    expect(prompt({ cards: [card], story: storyOf(long) }).cards).toMatchObject([{ included: false }])
  })

  test('a prompt that cannot fit is refused with its numbers', () => {
    const crowded = { ...adventure, memory: 'word '.repeat(9000) }
    expect(() => prompt({ adventure: crowded })).toThrow(StoryError)
    expect(() => prompt({ adventure: crowded })).toThrow(/about \d+ tokens, but only \d+ are available/)
  })

  test('is the beginning of a newest passage that is longer than all the room', () => {
    const runaway = told(
      ['start', 'Dusk.'],
      ['do', 'Go.'],
      ['ai', `BEGIN ${'word '.repeat(20_000)}END`],
      ['do', 'On.'],
    )
    const laid = prompt({ story: storyOf(runaway) })
    const text = laid.parts.map((part) => part.text).join()
    expect(laid.tokens.plain).toBeLessThanOrEqual(laid.tokens.limit)
    expect([text.includes('BEGIN'), text.includes('END'), text.includes('On.')]).toEqual([false, true, true])
  })

  test('a reply that may take everything is refused for what it is', () =>
    expect(() => prompt({ settings: { ...settings, max_output_tokens: 9_000 } })).toThrow(
      /Lower the max response length/,
    ))

  test('the history is asked for no further than it is shown', () => {
    let asked = 0
    function* counted() {
      for (const action of long.toReversed()) {
        asked++
        yield action
      }
    }
    const { history } = prompt({ story: { since: () => [], back: counted } })
    expect(asked).toBeLessThanOrEqual(history.included + 1)
  })
})

test('the length limit is given in words, and not at all when it is tiny', () => {
  const hints = [800, 60].map((max_output_tokens) =>
    prompt({ settings: { ...settings, max_output_tokens } }).parts.filter(
      ({ label }) => label === 'length_hint',
    ),
  )
  expect(hints).toMatchObject([[{ text: expect.stringContaining('506 words') }], []])
})

test('an estimate of a part is the part of the total', () => {
  const { parts, tokens } = prompt({ story: storyOf(told(['start', 'Dusk falls on the road.'])) })
  expect(tokens.total).toBe(parts.reduce((sum, { text }) => sum + estimateTokens(text) + 4, 0))
})

describe('the window', () => {
  const passages = (count: number, from = 0) =>
    Array.from({ length: count }, (_, i): [string, string] => [
      i % 2 ? 'ai' : 'do',
      `Passage ${from + i}. ${'word '.repeat(60)}`,
    ])
  const text = (laid: { parts: { text: string }[] }) => laid.parts.map((part) => part.text).join('\n')

  test('of a story that was never opened holds about half of the room', () => {
    const laid = prompt({ story: storyOf(told(...passages(200))) })
    expect(laid.epoch.reason).toBe('begun')
    expect(laid.tokens.total).toBeWithin(laid.tokens.limit * 0.35, laid.tokens.limit * 0.56)
  })

  test('stays where it is while it fits, and is cut in one go when it does not', () => {
    let epoch = UNOPENED
    const starts: (number | null)[] = []
    const reasons: string[] = []
    for (let count = 1; count < 120; count += 2) {
      const laid = prompt({ story: storyOf(told(...passages(count))), epoch })
      expect(laid.tokens.total).toBeLessThanOrEqual(laid.tokens.limit)
      if (starts.at(-1) !== laid.epoch.start) reasons.push(laid.epoch.reason)
      starts.push(laid.epoch.start)
      epoch = laid.epoch
    }
    expect(new Set(starts).size).toBeWithin(3, 9)
    expect(reasons.slice(1).every((reason) => reason === 'full')).toBe(true)
    // After a cut the story begins with the player's words.
    expect(starts.slice(-1)[0]).toSatisfy((start) => (start as number) % 2 === 0)
  })

  test('shows the summary of its cut until the next one, whatever is summarised meanwhile', () => {
    const story = storyOf(told(...passages(9)))
    const first = prompt({ story, adventure: { ...adventure, story_summary: 'Then.' } })
    const next = prompt({
      story,
      epoch: first.epoch,
      adventure: { ...adventure, story_summary: 'Then and now.' },
    })
    expect(text(next)).toContain('The story so far:\nThen.')
    expect(next.epoch.reason).toBe('kept')
    const changed = prompt({
      story,
      epoch: first.epoch,
      adventure: { ...adventure, memory: 'New.', story_summary: 'Then and now.' },
    })
    expect(text(changed)).toContain('Then and now.')
    expect(changed.epoch.reason).toBe('changed')
  })

  test('opens again where an undo went behind its beginning', () => {
    const laid = prompt({
      story: storyOf(told(...passages(5))),
      epoch: { start: 40, summary: '', static_mark: '' },
    })
    expect([laid.epoch.reason, laid.epoch.start]).toEqual(['begun', 0])
  })
})

describe('notes', () => {
  const card = (id: number, keys: string, entry: string) => ({
    ...EMPTY_CARD,
    id,
    scenario_id: null,
    adventure_id: 1,
    keys,
    entry,
  })
  /** Plays turns in memory: each is laid out, answered, and kept with its notes. */
  function played(
    lines: string[],
    input: Partial<PromptInput> | ((turn: number) => Partial<PromptInput>) = {},
  ) {
    const actions: StoryEntry[] = told(['start', 'Dusk.'])
    let epoch = UNOPENED
    return lines.map((line, turn) => {
      const index = actions.length
      actions.push({ id: index + 1, index, type: 'do', text: line, notes: null })
      const laid = prompt({
        story: storyOf([...actions]),
        epoch,
        ...(typeof input === 'function' ? input(turn) : input),
      })
      epoch = laid.epoch
      actions.push({ id: index + 2, index: index + 1, type: 'ai', text: `Reply ${turn}.`, notes: laid.notes })
      return laid
    })
  }
  const added = (laid: { notes: { before: { text: string }[] } }) =>
    laid.notes.before.map((note) => note.text)

  const REPLY = 'The door opens, and somebody looks out. '
  const reply = (text: string, asked = REQUEST): StoryEntry => {
    const after = [{ label: 'request' as const, text: asked }]
    const notes = { before: [], after, lore: [], memories: [], passages: [], inputs: '' }
    return { id: 1, index: 1, type: 'ai', text, notes }
  }
  test.each<[what: string, told: StoryEntry[], request: string]>([
    ['there is no reply yet', told(['start', 'Dusk.']), REQUEST],
    ['the newest reply is long', [reply(REPLY), reply(REPLY.repeat(8))], REQUEST],
    ['the newest reply is short', [reply(REPLY.repeat(8)), reply(REPLY)], LONG_REQUEST],
    ['it was short again', [reply(REPLY), reply(REPLY, LONG_REQUEST)], OTHER_REQUEST],
    ['it stays short', [reply(REPLY, LONG_REQUEST), reply(REPLY, OTHER_REQUEST)], LONG_REQUEST],
    ['it is of an older version', [{ ...reply(REPLY), notes: null }], LONG_REQUEST],
    ['only the player writes in short', [reply(REPLY.repeat(8)), ...told(['story', 'No.'])], REQUEST],
  ])('ask for what comes next: %s', (_, before, request) => {
    const actions = [...before, ...told(['do', '> You wait.'])].map((one, index) => ({ ...one, index }))
    expect(prompt({ story: storyOf(actions) }).parts.at(-1)).toMatchObject({
      label: 'request',
      text: request,
    })
  })

  test('ask in other words for another attempt, and keep them', () => {
    const first = prompt({ story: storyOf(told(['start', 'Dusk.'], ['do', '> You wait.'])) })
    const again = inOtherWords(first)
    expect(first.parts.at(-1)).toEqual({ role: 'user', label: 'request', text: REQUEST })
    expect(again.parts.slice(0, -1)).toEqual(first.parts.slice(0, -1))
    expect(again.parts.at(-1)?.text).toBe(LONG_REQUEST)
    expect(again.notes.after).toEqual([{ label: 'request', text: LONG_REQUEST }])
  })

  test.each<[what: string, entries: [type: string, name: string, keys: string][], character: string]>([
    ['nobody', [['place', 'The inn', 'inn']], ''],
    [
      'the one whom it mentions last',
      [
        ['character', 'Mara', 'Mara'],
        ['character', 'Ada', 'Ada'],
      ],
      'Ada',
    ],
    [
      'nobody whom it does not mention',
      [
        ['character', 'Mara', 'Mara'],
        ['character', 'Tom', 'Tom'],
      ],
      'Mara',
    ],
  ])('of a story know %s', (_, entries, character) => {
    const cards = entries.map(([type, name, keys], i) => ({ ...card(i, keys, 'Old.'), type, name }))
    const story = storyOf(told(['start', 'Mara at the inn sees Ada.'], ['do', '> You wait.']))
    expect(prompt({ story, cards }).character).toBe(character)
  })

  test('include lore once, and again when its card was edited', () => {
    const laid = played(['The lamp.', 'The lamp again.', 'And the lamp.'], (turn) => ({
      cards: [card(7, 'lamp', turn < 2 ? 'It burns.' : 'It is out.')],
    }))
    expect(laid.map(added)).toEqual([['World lore: It burns.'], [], ['World lore: It is out.']])
    expect(laid.map(({ cards }) => cards[0]?.reason)).toEqual(['shown', 'already shown', 'shown'])
  })

  test.each<[what: string, name: string, entry: string, lore: string[]]>([
    ['begin with the name', 'The lamp', 'It burns.', ['World lore: The lamp: It burns.']],
    [
      'that is in the text have no name before them',
      'The Lamp',
      'By the lamp.',
      ['World lore: By the lamp.'],
    ],
    ['without a name are the text alone', ' ', 'It burns.', ['World lore: It burns.']],
    ['that the plot has already are not repeated', 'Mara', 'She keeps\nthe inn.', []],
    ['about somebody else are told', 'Ada', 'She keeps the inn.', ['World lore: Ada: She keeps the inn.']],
  ])('of cards %s', (_, name, entry, lore) => {
    const plot = { ...adventure, memory: 'Mara is old. She keeps the inn.' }
    const [laid] = played(['The lamp.'], { adventure: plot, cards: [{ ...card(7, 'lamp', entry), name }] })
    expect(laid && added(laid)).toEqual(lore)
  })

  test('tell the author’s note first, every six turns, and when it changes', () => {
    const lines = Array.from({ length: 9 }, (_, i) => `Line ${i}.`)
    const laid = played(lines, (turn) => ({
      adventure: { ...adventure, authors_note: turn < 8 ? 'Calm.' : 'Storm.' },
    }))
    expect(laid.map((one) => added(one).length)).toEqual([1, 0, 0, 0, 0, 0, 1, 0, 1])
  })

  test('quote what is recalled in every turn, the last before the window is cut included', () => {
    const quoteOfTurn = (turn: number) => ({
      index: 0,
      text: `Fact ${turn}.`,
      quote: `Fact ${turn}.`,
      terms: [],
      via: 'words' as const,
      changedBy: null,
    })
    const lines = Array.from({ length: 40 }, (_, turn) => `Line ${turn}. ${'It rains on. '.repeat(60)}`)
    const laid = played(lines, (turn) => ({
      recall: () => ({ memories: [], passages: [quoteOfTurn(turn)] }),
    }))
    expect(laid.filter(({ epoch }) => epoch.reason === 'full').length).toBeGreaterThan(1)
    for (const [turn, one] of laid.entries())
      expect(added(one)).toEqual([`[Earlier, passage 0: Fact ${turn}.]`])
  })

  test('stand in later prompts as they stood in the first', () => {
    const laid = played(['The lamp.', 'On.', 'On.'], { cards: [card(7, 'lamp', 'It burns.')] })
    const bytes = laid.map(({ parts }) => JSON.stringify(messagesOf(parts)))
    for (const [i, next] of bytes.entries())
      if (i > 0) expect(next.startsWith((bytes[i - 1] ?? '').slice(0, -1))).toBe(true)
  })

  test('of a retried turn are the same while nothing has changed', () => {
    const [first] = played(['The lamp.'], { cards: [card(7, 'lamp', 'It burns.')] })
    const story = storyOf(told(['start', 'Dusk.'], ['do', 'The lamp.']))
    const retold = {
      ...(first?.notes as NonNullable<typeof first>['notes']),
      before: [{ label: 'world_lore' as const, text: 'kept' }],
    }
    const again = (entry: string) =>
      prompt({ story, epoch: first?.epoch ?? UNOPENED, cards: [card(7, 'lamp', entry)], retold })
    expect(added(again('It burns.'))).toEqual(['kept'])
    expect(added(again('It is out.'))).toEqual(['World lore: It is out.'])
  })
})
