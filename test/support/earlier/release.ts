import { Database } from 'bun:sqlite'
import { deflateSync } from 'node:zlib'
import { makeTables } from './schema.ts'

/** A file of the earlier release: its version, and tables that later builds add to any schema. */
export interface Left {
  version?: number
  /** The version at which it created the file, if it upgraded the file itself. */
  born?: number
  laterTables?: boolean
  /** The declaration of a column that another program added to every table. It holds the text `strange`. */
  strange?: string
  /** Further statements, for unusual files. */
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
 * Writes a small library as the earlier release does: no SQL defaults, JSON with spaces, the text `null`. Story 1 has 14
 * actions, and its last narration has three attempts, of which the second is live; story 2 has a gap. Older versions have
 * those parts that they could store.
 */
export function leaveEarlierLibrary(path: string, left: Left = {}): void {
  using db = new Database(path, { create: true })
  writeEarlierLibrary(db, left)
}

/** The same, in an empty database. */
export function writeEarlierLibrary(
  db: Database,
  { version = 45, born = Math.min(version, 45), laterTables = true, strange, also = '' }: Left = {},
): void {
  const at = Math.min(version, 45)
  makeTables(db, Math.max(born, 12), Math.max(at, 12), laterTables, strange)
  db.transaction(() => {
    for (const [table, rows] of Object.entries(libraryRows()))
      for (const row of rows) insert(db, table, { ...row, strange: 'strange' }, { born, at })
  })()
  db.run(`PRAGMA user_version = ${version}`)
  if (also) db.run(also)
}

/** A row with the values in memory; `insert` writes them as a version stores them. */
export type Row = Record<string, unknown>

/** The world state of story 1 before the last turn, and after each of its three attempts. */
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

/** The vector of the first memory. Each number is exact in four bytes. */
export const VECTOR = [0.5, -1, 2]

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

/** Every row by table, as in version 45. */
export function libraryRows(): Record<string, Row[]> {
  return {
    users: [{ id: 1, email: null, is_guest: 0, created_at: TIME, demo_turns_used: 0, demo_turns_date: '' }],
    settings: [SETTINGS],
    scripts: [{ ...CODE, id: 1, user_id: 1, created_at: TIME, updated_at: TIME }],
    scenarios: [
      { ...SCENARIO, id: 1, title: 'Night Market', prompt: '${hero} counts the coins.', stat_schema: 'null' },
      {
        ...SCENARIO,
        id: 2,
        title: 'The Dark Light',
        prompt: 'The lamp is out.',
        image: PICTURE,
        icon: '🏮',
        stat_schema: SCHEMA,
      },
      {
        ...SCENARIO,
        id: 3,
        title: 'Nobody’s',
        user_id: null,
        is_public: 1,
        prompt: 'A fork in the road.',
        stat_schema: null,
      },
    ],
    scenario_scripts: [{ scenario_id: 2, script_id: 1 }],
    adventures: [
      {
        ...ADVENTURE,
        id: 1,
        scenario_id: 2,
        title: 'Nine Nights',
        world_state: spaced(WORLD.after[1]).replace('"dread": 3', '"dread": 3, "luck": NaN'),
        placeholders: { hero: 'Tamsin' },
        memory_cursor: 12,
      },
      {
        ...ADVENTURE,
        id: 2,
        scenario_id: 1,
        title: 'Old Debts',
        world_state: {},
        placeholders: null,
        memory_cursor: 0,
      },
    ],
    adventure_scripts: [{ ...CODE, id: 1, adventure_id: 1, source_script_id: 1, position: 0, enabled: 1 }],
    actions: [...storyActions(), ...oldActions()],
    memories: [
      {
        ...MEMORY,
        id: 1,
        text: 'The rail broke.',
        embedding_blob: VECTOR,
        embedded: 1,
        source_start: 0,
        source_end: 5,
        use_count: 2,
        last_used_at: TIME,
      },
      { ...MEMORY, id: 2, text: 'The oar held.', source_start: 6, source_end: 11 },
      { ...MEMORY, id: 3, text: 'Written by hand.', pinned: 1 },
    ],
    story_cards: [
      {
        id: 1,
        scenario_id: null,
        adventure_id: 1,
        type: '',
        name: 'Gull Rock',
        keys: 'gull',
        entry: 'A rock.',
        notes: '',
        source_ref: 'card:1',
      },
    ],
  }
}

const LINES: [type: string, text: string][] = [
  ['start', 'The lamp is out.'],
  ['do', '> You climb the stair.'],
  ['ai', 'Salt has eaten the rail.'],
  ['say', '> You say "What happened?"'],
  ['ai', 'He went up.'],
  ['ai', 'The wind sings.'],
  ['story', 'A bell rings.'],
  ['ai', 'Mira counts to nine.'],
  ['do', '> You wedge the door.'],
  ['ai', 'The oar holds.'],
  ['do', '> You take the inner stair.'],
  ['ai', 'You land badly.'],
  ['say', '> You say "Hold the light."'],
  ['ai', LIVE_TEXT],
]

/** The delta of a turn: the model's proposal and what was applied of it. */
function outcome(delta: Row, applied: Row[], more: Row = {}) {
  return { delta, report: { applied, clamped: [], rejected: [], ...more } }
}

const OUTCOMES: Record<number, ReturnType<typeof outcome>> = {
  2: outcome({ 'player.hp': -10 }, [{ path: 'player.hp', old: 100, new: 90 }]),
  11: outcome({ 'player.hp': -45, 'player.dread': 2, 'npc.mira.trust': 10 }, [
    { path: 'player.hp', old: 90, new: 60 },
    { path: 'player.dread', old: 2, new: 4 },
    { path: 'npc.mira.trust', old: 10, new: 20 },
  ]),
}

const ATTEMPTS = [
  {
    text: 'The light shakes.',
    ...outcome({ 'player.hp': -50 }, [{ path: 'player.hp', old: 60, new: 30 }], {
      clamped: [{ path: 'player.hp', old: 60, new: 30 }],
    }),
  },
  {
    text: LIVE_TEXT,
    ...outcome({ 'player.dread': -1, 'npc.mira.trust': 10 }, [
      { path: 'player.dread', old: 4, new: 3 },
      { path: 'npc.mira.trust', old: 20, new: 30 },
    ]),
  },
  {
    text: 'You do not wait.',
    ...outcome(
      { 'flags.lamp_lit': true, 'milestones.lantern_room': true, 'player.luck': 1 },
      [
        { path: 'flags.lamp_lit', old: false, new: true },
        { path: 'milestones.lantern_room', old: false, new: true },
      ],
      { rejected: [{ path: 'player.luck', reason: 'unknown path' }] },
    ),
  },
]

function storyActions(): Row[] {
  return LINES.map(([type, text], index) => {
    const before = index <= 2 ? WORLD.atFirst : index < 12 ? WORLD.beforeTheStair : WORLD.before
    const after = index < 12 ? (index < 11 ? WORLD.beforeTheStair : WORLD.before) : WORLD.after[1]
    const own = index === 13 ? ATTEMPTS[1] : OUTCOMES[index]
    const row = {
      ...ACTION,
      id: index + 1,
      adventure_id: 1,
      index,
      type,
      text,
      state_before: index === 0 ? null : { turns: 3 },
      world_state_before: index === 0 ? null : before,
      world_delta: own ? { delta: own.delta, applied: own.report.applied } : null,
      context_snapshot: own ? snapshotOf({ delta: own.delta, report: own.report, state: after }) : null,
    }
    if (index < 13) return row
    return {
      ...row,
      reasoning: 'A calmer take.',
      variant_count: 3,
      variant_index: 1,
      variants: ATTEMPTS.map(({ text, delta, report }, i) => ({
        text,
        reasoning: i === 1 ? 'A calmer take.' : null,
        script_state: { turns: 7 },
        created_at: i === 0 ? '2026-03-01T10:00:00.000001' : `2026-03-01T10:0${i}:00.000001+00:00`,
        world_state: { delta, report, state: WORLD.after[i] },
      })),
    }
  })
}

// Begun before world state and placeholders existed; one of its passages was deleted.
function oldActions(): Row[] {
  const lines: [index: number, type: string, text: string][] = [
    [0, 'start', '${hero} counts.'],
    [1, 'do', '> You knock.'],
    [4, 'ai', 'It opens.'],
  ]
  return lines.map(([index, type, text], i) => ({
    ...ACTION,
    id: 20 + i,
    adventure_id: 2,
    index,
    type,
    text,
    context_snapshot: type === 'ai' ? snapshotOf() : null,
    world_delta: 'null',
    variants: type === 'ai' ? 'null' : null,
  }))
}

function snapshotOf(world_state?: Row): Row {
  return {
    sections: [{ label: 'narrator', text: 'You narrate.', tokens: 3 }],
    prompt: { system: 'You narrate.', story: '' },
    tokens: { total: 3, budget: 24_000 },
    cards: [],
    memories: null,
    history: { included: 1, total: 1, oldest_truncated: false },
    settings: {},
    raw_output: 'Évasion…',
    ...(world_state ? { world_state } : {}),
  }
}

const SETTINGS = {
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
}
const SCENARIO = {
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
const ADVENTURE = {
  user_id: 1,
  memory: '',
  authors_note: '',
  ai_instructions: '',
  story_summary: '',
  script_state: { turns: 7 },
  auto_summarize: 0,
  memory_bank_enabled: 0,
  summary_cursor: 0,
  created_at: TIME,
  updated_at: TIME,
}
const ACTION = {
  reasoning: null,
  state_before: null,
  world_state_before: null,
  variants: null,
  variant_count: 0,
  variant_index: 0,
  created_at: TIME,
}
const MEMORY = {
  adventure_id: 1,
  embedding_blob: null,
  source_start: null,
  source_end: null,
  embedded: 0,
  pinned: 0,
  forgotten: 0,
  use_count: 0,
  last_used_at: null,
  created_at: TIME,
}
const CODE = {
  name: 'Turn counter',
  description: 'inert',
  library_js: '',
  input_js: '',
  context_js: '',
  output_js: 'const modifier = (text) => ({ text });',
}
export const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAE0lEQVR4nGPgEtE4sSqKAYiBLAAdqgQlQNJ/iAAAAABJRU5ErkJggg=='

type Stored = string | number | null | Uint8Array

/** Writes a row as the earlier release would at a version. Leaves out what that version cannot store. */
export function insert(
  db: Database,
  table: string,
  row: Row,
  { born, at }: { born: number; at: number } = { born: 45, at: 45 },
): void {
  const columns = new Set(
    db
      .query<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map(({ name }) => name),
  )
  const stored = Object.entries(row)
    .flatMap(([name, value]) => columnsFor(table, name, value, { born, at }))
    .filter(([name]) => columns.has(name))
  if (stored.length === 0) return
  const names = stored.map(([name]) => `"${name}"`)
  db.query(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => '?')})`).run(
    ...stored.map(([, value]) => value),
  )
}

function columnsFor(
  table: string,
  name: string,
  value: unknown,
  { born, at }: { born: number; at: number },
): [string, Stored][] {
  if (name === 'embedding_blob' && Array.isArray(value))
    return [
      ['embedding', spaced(value)],
      ['embedding_blob', new Uint8Array(Float32Array.from(value as number[]).buffer)],
    ]
  if (name === 'context_snapshot' && value !== null) {
    // Prompts did not mention world state before it existed.
    const { world_state, ...plain } = value as Row
    const kept = at < 28 ? plain : { ...plain, ...(world_state ? { world_state } : {}) }
    return at < 43
      ? [[name, spaced(kept)]]
      : [name, 'context_snapshot_z'].map((column) => [column, deflateSync(escaped(JSON.stringify(kept)))])
  }
  // There were no retries before the live attempt could be stored.
  if (name === 'variants' && at < 35) return []
  // A story that is older than world state was not changed when the column was added.
  if (table === 'adventures' && name === 'world_state' && born < 27 && isEmpty(value)) return []
  return [[name, value !== null && typeof value === 'object' ? spaced(value) : (value as Stored)]]
}

function isEmpty(value: unknown): boolean {
  return JSON.stringify(value) === '{}'
}

// As the earlier release writes it: a space after each comma and colon, and only ASCII characters.
export function spaced(value: unknown): string {
  return escaped(
    JSON.stringify(value).replace(/("(?:[^"\\]|\\.)*")|([,:])/g, (_, text, mark) => text ?? `${mark} `),
  )
}

function escaped(json: string): string {
  return json.replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
