import type {
  PortableAction,
  PortableAdventure,
  PortableScenario,
} from '../../../src/domain/portable/portable.ts'

/** The moment at which the tests write their files. */
export const AT = new Date('2026-03-01T10:00:00.000Z')

/** A scenario with a bit of everything. */
export const LAMP_ROAD: PortableScenario = {
  title: 'The Lamp Road',
  description: 'A walk in the dark.',
  prompt: '${Your name} sees the first lamp go out.',
  greetings: [],
  memory: 'The road is long.',
  authors_note: 'Slow.',
  ai_instructions: 'Tell it in the present.',
  example_dialogue: '“Oil?” he asks. “Always oil.”',
  tags: 'quiet, night',
  icon: '🏮',
  image: '',
  stat_schema: { player: { oil: { min: 0, max: 9, initial: 3 } } },
  story_cards: [
    { type: 'object', name: 'Lamp', keys: 'lamp, /l[a,b]mp/', entry: 'It burns.', notes: 'mine' },
  ],
}

const state = (oil: number) => ({ player: { oil }, _meta: { last_changed: {} } })

function action(more: Partial<PortableAction> & Pick<PortableAction, 'type' | 'text'>): PortableAction {
  return {
    reasoning: null,
    variants: [],
    variant_index: 0,
    cut: null,
    world_delta: null,
    world_state_before: null,
    created_at: '2026-03-01T09:00:00.000Z',
    ...more,
  }
}

/** A short story: an opening, a line, a passage with two variants of which the first is live, and the player's own prose. */
export function lampStory(more: Partial<PortableAdventure> = {}): PortableAdventure {
  const moved = [
    {
      path: 'player.oil',
      asked: -5,
      given: -1,
      old: 3,
      new: 2,
      verdict: 'limited',
      reason: 'at most 1 a turn',
    },
  ]
  const report = { applied: [], clamped: [], rejected: [], verdicts: moved }
  return {
    title: 'Lamp',
    memory: 'The road is long.',
    authors_note: '',
    ai_instructions: '',
    example_dialogue: '',
    story_summary: 'It got dark.',
    auto_summarize: true,
    memory_bank_enabled: true,
    propose_cards: false,
    language: '',
    summary: { covers: 2, made_by: 'model' },
    placeholders: { 'Your name': 'Tamsin' },
    stat_schema: LAMP_ROAD.stat_schema,
    world_state: state(2),
    scenario: LAMP_ROAD,
    story_cards: [
      { type: '', name: 'Lamp', keys: 'lamp', entry: 'It burns.', notes: '', source_ref: 'card:0' },
    ],
    memories: [
      {
        text: 'The lamp went out.',
        pinned: true,
        forgotten: false,
        stale: false,
        source_start: 0,
        source_end: 2,
        use_count: 1,
      },
    ],
    actions: [
      action({
        type: 'start',
        text: 'Dusk & *rain*.\n\n---\n\n# Nobody\nsays **a word**.',
        world_state_before: state(3),
      }),
      action({ type: 'do', text: '> You wait [here].', world_state_before: state(3) }),
      action({
        type: 'ai',
        text: 'Rain.',
        reasoning: 'Weather?',
        world_delta: { delta: { 'player.oil': -5 }, ...report },
        world_state_before: state(3),
        variants: [
          {
            text: 'Rain.',
            reasoning: 'Weather?',
            created_at: '2026-03-01T09:01:00.000Z',
            raw_output: 'Rain.\n```state_delta\n{"player.oil": -5}\n```',
            world_state: { delta: { 'player.oil': -5 }, report, state: state(2) },
          },
          { text: 'Snow.', reasoning: null, created_at: '2026-03-01T09:02:00.000Z', cut: 'stopped' },
        ],
      }),
      action({ type: 'story', text: 'He was not alone.' }),
    ],
    ...more,
  }
}

/** Words that want to be something else: marks, ends of things, signs that no file may hold, and letters that run backwards. */
export const HOSTILE =
  '</p></title><script>alert(1)</script>]]>&amp;&#0;"\'\u0000\u0008\u001b\ud800 \udc00\uffff\u202e \u05e9\u05dc\u05d5\u05dd `code` [a](https://evil.example) ![b](//evil.example/x.png) <!--'

/** The lamp's story with hostile words in every place that holds words. */
export function hostileStory(): PortableAdventure {
  const hostile = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hostile)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, WORDS.has(key) ? HOSTILE : hostile(one)]),
    )
  }
  return hostile(lampStory()) as PortableAdventure
}

const WORDS = new Set([
  'title',
  'description',
  'prompt',
  'memory',
  'authors_note',
  'ai_instructions',
  'tags',
  'name',
  'keys',
  'entry',
  'notes',
  'text',
  'reasoning',
  'story_summary',
  'Your name',
  'raw_output',
  'reason',
  'path',
])
