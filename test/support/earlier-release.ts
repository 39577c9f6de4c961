import { Database } from 'bun:sqlite'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'

/** What the earlier release could leave: its version, and tables that later builds add beside any schema. */
export interface Left {
  version?: number
  laterTables?: boolean
  /** More statements, for files that are odd in some way. */
  also?: string
}

const TIME = '2026-03-01 10:00:00.000001'

const SCHEMA = {
  player: {
    hp: { min: 0, max: 100, initial: 100, max_delta_per_turn: 30 },
    dread: { min: 0, max: 10, initial: 2 },
  },
  npcs: { mira: { name: 'Mira', stats: { trust: { min: -100, max: 100, initial: 10 } } } },
  flags: { lamp_lit: { initial: false } },
  milestones: { lantern_room: { desc: 'Reach the lantern room' } },
}

/**
 * Writes a small library as the earlier release leaves it: no SQL defaults, JSON with spaces, the text `null`. Story 1
 * has 14 actions, and its last narration has three attempts of which the second is live; story 2 has a gap.
 */
export function leaveEarlierLibrary(
  path: string,
  { version = 45, laterTables = true, also = '' }: Left = {},
): void {
  const db = new Database(path, { create: true })
  const baseline = readFileSync(join(import.meta.dir, '../../migrations/0001-baseline.sql'), 'utf8')
  const statements = baseline.replace(/ DEFAULT ('[^']*'|[\w.]+)/g, '').replaceAll('IF NOT EXISTS ', '')
  db.run(laterTables ? statements : statements.slice(0, statements.indexOf('CREATE TABLE analytics_daily')))
  if (laterTables)
    db.run('CREATE TABLE access_events (id INTEGER NOT NULL PRIMARY KEY, who VARCHAR(320) NOT NULL)')
  db.transaction(() => {
    fillShelf(db)
    fillStory(db)
    fillOldStory(db)
  })()
  if (also) db.run(also)
  db.run(`PRAGMA user_version = ${version}`)
  db.close()
}

/** The world of story 1 at its turns: before the last one, and after each of its three attempts. */
export const WORLD = {
  atFirst: world({ hp: 100 }),
  beforeTheStair: world({ hp: 90 }),
  before: world({ hp: 60, dread: 4, trust: 20 }),
  after: [
    world({ hp: 30, dread: 4, trust: 20 }),
    world({ hp: 60, dread: 3, trust: 30 }),
    {
      ...world({ hp: 60, dread: 4, trust: 20 }),
      flags: { lamp_lit: true },
      milestones: { lantern_room: { reached: true, at: 13 } },
    },
  ],
}

export const LIVE_TEXT = 'She steadies the light, and you see the hatch of the lamp room.'

function world({ hp, dread = 2, trust = 10 }: { hp: number; dread?: number; trust?: number }) {
  return {
    world: {},
    player: { hp, dread },
    npc: { mira: { trust } },
    milestones: {},
    flags: { lamp_lit: false },
    _meta: { last_changed: {} },
  }
}

function fillShelf(db: Database): void {
  insert(db, 'users', {
    id: 1,
    email: null,
    is_guest: 0,
    created_at: TIME,
    demo_turns_used: 0,
    demo_turns_date: '',
  })
  insert(db, 'settings', {
    id: 1,
    user_id: 1,
    endpoint_url: 'http://127.0.0.1:11434/v1',
    api_key: 'enc:inert',
    model: 'old-model',
    api_mode: 'chat',
    temperature: 0.9,
    max_output_tokens: 700,
    reasoning_max_tokens: 0,
    context_token_budget: 24_000,
    narrator_prompt: 'You narrate.',
    stream: 1,
    summary_model: '',
    embedding_model: '',
    memory_bank_capacity: 120,
    memory_top_k: 4,
  })
  const scenario = {
    user_id: 1,
    is_public: 0,
    description: '',
    memory: '',
    authors_note: '',
    ai_instructions: '',
    tags: 'sea',
    image: '',
    icon: '',
    created_at: TIME,
    updated_at: TIME,
  }
  insert(db, 'scenarios', {
    ...scenario,
    id: 1,
    title: 'Night Market',
    prompt: '${hero} counts the coins.',
    stat_schema: 'null',
  })
  insert(db, 'scenarios', {
    ...scenario,
    id: 2,
    title: 'The Dark Light',
    prompt: 'The lamp is out.',
    image: PICTURE,
    stat_schema: spaced(SCHEMA),
  })
  insert(db, 'scenarios', {
    ...scenario,
    id: 3,
    title: 'Nobody’s',
    user_id: null,
    is_public: 1,
    prompt: 'A fork in the road.',
    stat_schema: null,
  })
}

function fillStory(db: Database): void {
  insert(db, 'adventures', {
    ...ADVENTURE,
    id: 1,
    scenario_id: 2,
    title: 'Nine Nights',
    world_state: spaced(WORLD.after[1]).replace('"dread": 3', '"dread": 3, "luck": NaN'),
    placeholders: '{"hero": "Tamsin"}',
    memory_cursor: 12,
  })
  const lines = [
    'The lamp is out.',
    '> You climb the stair.',
    'Salt has eaten the rail.',
    '> You say "What happened?"',
    'He went up.',
    'The wind sings.',
    'A bell rings.',
    'Mira counts to nine.',
    '> You wedge the door.',
    'The oar holds.',
    '> You take the inner stair.',
    'You land badly.',
    '> You say "Hold the light."',
    LIVE_TEXT,
  ]
  const types = ['start', 'do', 'ai', 'say', 'ai', 'ai', 'story', 'ai', 'do', 'ai', 'do', 'ai', 'say', 'ai']
  for (const [index, text] of lines.entries()) {
    const before =
      index === 0
        ? null
        : spaced(index < 2 ? WORLD.atFirst : index < 12 ? WORLD.beforeTheStair : WORLD.before)
    insert(db, 'actions', {
      ...ACTION,
      id: index + 1,
      adventure_id: 1,
      index,
      type: types[index] ?? '',
      text,
      world_state_before: before,
    })
  }
  const variants = ['The light shakes.', LIVE_TEXT, 'You do not wait.'].map((text, i) => ({
    text,
    reasoning: null,
    script_state: { turns: 7 },
    created_at: '2026-03-01T10:00:00.000001',
    world_state: { delta: {}, report: { applied: [], clamped: [], rejected: [] }, state: WORLD.after[i] },
  }))
  const snapshot = deflateSync(
    JSON.stringify({
      sections: [{ label: 'narrator', text: 'You narrate.', tokens: 3 }],
      tokens: { total: 3, budget: 24_000 },
      cards: [],
      history: { included: 1, total: 1 },
      settings: {},
    }),
  )
  db.query(
    'UPDATE actions SET variants = ?, variant_count = 3, variant_index = 1, context_snapshot = ? WHERE id = 14',
  ).run(spaced(variants), snapshot)
  const memory = { adventure_id: 1, embedded: 0, pinned: 0, forgotten: 0, use_count: 0, created_at: TIME }
  insert(db, 'memories', { ...memory, id: 1, text: 'The rail broke.', source_start: 0, source_end: 5 })
  insert(db, 'memories', { ...memory, id: 2, text: 'The oar held.', source_start: 6, source_end: 11 })
  insert(db, 'memories', { ...memory, id: 3, text: 'Written by hand.', source_start: null, source_end: null })
  insert(db, 'story_cards', {
    id: 1,
    scenario_id: null,
    adventure_id: 1,
    type: '',
    name: 'Gull Rock',
    keys: 'gull',
    entry: 'A rock.',
    notes: '',
    source_ref: 'card:1',
  })
}

function fillOldStory(db: Database): void {
  insert(db, 'adventures', {
    ...ADVENTURE,
    id: 2,
    scenario_id: 1,
    title: 'Old Debts',
    world_state: '{}',
    placeholders: null,
    memory_cursor: 0,
  })
  for (const [i, [index, type, text]] of (
    [
      [0, 'start', '${hero} counts.'],
      [1, 'do', '> You knock.'],
      [4, 'ai', 'It opens.'],
    ] as const
  ).entries())
    insert(db, 'actions', {
      ...ACTION,
      id: 20 + i,
      adventure_id: 2,
      index,
      type,
      text,
      world_delta: 'null',
      variants: type === 'ai' ? 'null' : null,
    })
}

const ADVENTURE = {
  user_id: 1,
  memory: '',
  authors_note: '',
  ai_instructions: '',
  story_summary: '',
  script_state: '{"turns": 7}',
  auto_summarize: 0,
  memory_bank_enabled: 0,
  summary_cursor: 0,
  created_at: TIME,
  updated_at: TIME,
}
const ACTION = { variant_count: 0, variant_index: 0, created_at: TIME }
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAE0lEQVR4nGPgEtE4sSqKAYiBLAAdqgQlQNJ/iAAAAABJRU5ErkJggg=='

function insert(db: Database, table: string, row: Record<string, string | number | null>): void {
  const columns = Object.keys(row).map((name) => `"${name}"`)
  db.query(`INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => '?')})`).run(...Object.values(row))
}

// As the earlier release writes it: a space after each comma and colon.
function spaced(value: unknown): string {
  return JSON.stringify(value).replace(/("(?:[^"\\]|\\.)*")|([,:])/g, (_, text, mark) => text ?? `${mark} `)
}
