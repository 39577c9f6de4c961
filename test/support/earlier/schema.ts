import type { Database } from 'bun:sqlite'

/**
 * The tables of the earlier release at each of its versions, derived from its files and not from our migrations: new ones,
 * without SQL defaults, and ones that it upgraded itself, column by column.
 */

/** The versions at which it created files. It only passed through those in between. */
export const MADE_AT = [12, 23, 24, 25, 29, 31, 33, 35, 36, 37, 38, 41, 42, 45] as const

/** A column: its declaration, the version that added it, and the value for old rows. */
type Column = [name: string, declaration: string, since?: number, byDefault?: string]

export interface Table {
  /** The first version that has it. */
  since: number
  columns: Column[]
  keys: Record<string, string>
  /** After the columns. */
  also: string[]
}

const ID: Column = ['id', 'INTEGER NOT NULL']
const CASCADE = (table: string) => `${table} (id) ON DELETE CASCADE`
const CODE: Column[] = ['description', 'library_js', 'input_js', 'context_js', 'output_js'].map((name) => [
  name,
  'TEXT NOT NULL',
])

export const TABLES: Record<string, Table> = {
  users: {
    since: 13,
    columns: [
      ID,
      ['email', 'VARCHAR(320)'],
      ['password_hash', 'VARCHAR(300)'],
      ['is_guest', 'BOOLEAN NOT NULL'],
      ['created_at', 'DATETIME NOT NULL'],
      ['last_seen_at', 'DATETIME'],
      ['demo_turns_used', 'INTEGER NOT NULL'],
      ['demo_turns_date', 'VARCHAR(10) NOT NULL'],
    ],
    keys: {},
    also: ['UNIQUE (email)'],
  },
  settings: {
    since: 12,
    columns: [
      ID,
      ['user_id', 'INTEGER', 21],
      ['endpoint_url', 'VARCHAR(500) NOT NULL'],
      ['api_key', 'VARCHAR(500) NOT NULL'],
      ['model', 'VARCHAR(200) NOT NULL'],
      ['api_mode', 'VARCHAR(20) NOT NULL'],
      ['temperature', 'FLOAT NOT NULL'],
      ['max_output_tokens', 'INTEGER NOT NULL'],
      ['reasoning_max_tokens', 'INTEGER NOT NULL'],
      ['context_token_budget', 'INTEGER NOT NULL'],
      ['narrator_prompt', 'TEXT NOT NULL'],
      ['stream', 'BOOLEAN NOT NULL'],
      ['summary_model', 'VARCHAR(200) NOT NULL'],
      ['embedding_model', 'VARCHAR(200) NOT NULL'],
      ['memory_bank_capacity', 'INTEGER NOT NULL'],
      ['memory_top_k', 'INTEGER NOT NULL'],
    ],
    keys: { user_id: CASCADE('users') },
    also: ['UNIQUE (user_id)'],
  },
  scenarios: {
    since: 12,
    columns: [
      ID,
      ['user_id', 'INTEGER', 14],
      ['is_public', 'BOOLEAN NOT NULL', 16, '0'],
      ['title', 'VARCHAR(200) NOT NULL'],
      ['description', 'TEXT NOT NULL'],
      ['prompt', 'TEXT NOT NULL'],
      ['memory', 'TEXT NOT NULL'],
      ['authors_note', 'TEXT NOT NULL'],
      ['ai_instructions', 'TEXT NOT NULL'],
      ['tags', 'VARCHAR(500) NOT NULL'],
      ['image', 'TEXT NOT NULL', 30, "''"],
      ['icon', 'VARCHAR(16) NOT NULL', 31, "''"],
      ['stat_schema', 'JSON', 26],
      ['created_at', 'DATETIME NOT NULL'],
      ['updated_at', 'DATETIME NOT NULL'],
    ],
    keys: { user_id: CASCADE('users') },
    also: [],
  },
  adventures: {
    since: 12,
    columns: [
      ID,
      ['user_id', 'INTEGER', 19],
      ['scenario_id', 'INTEGER'],
      ['title', 'VARCHAR(200) NOT NULL'],
      ['memory', 'TEXT NOT NULL'],
      ['authors_note', 'TEXT NOT NULL'],
      ['ai_instructions', 'TEXT NOT NULL'],
      ['story_summary', 'TEXT NOT NULL'],
      ['script_state', 'JSON NOT NULL'],
      // Not required in an upgraded file.
      ['world_state', 'JSON NOT NULL', 27, 'NULL'],
      ['placeholders', 'JSON', 32],
      ['auto_summarize', 'BOOLEAN NOT NULL'],
      ['memory_bank_enabled', 'BOOLEAN NOT NULL'],
      ['memory_cursor', 'INTEGER NOT NULL'],
      ['summary_cursor', 'INTEGER NOT NULL'],
      ['created_at', 'DATETIME NOT NULL'],
      ['updated_at', 'DATETIME NOT NULL'],
    ],
    keys: { user_id: CASCADE('users'), scenario_id: 'scenarios (id) ON DELETE SET NULL' },
    also: [],
  },
  actions: {
    since: 12,
    columns: [
      ID,
      ['adventure_id', 'INTEGER NOT NULL'],
      ['index', 'INTEGER NOT NULL'],
      ['type', 'VARCHAR(20) NOT NULL'],
      ['text', 'TEXT NOT NULL'],
      ['reasoning', 'TEXT'],
      ['context_snapshot', 'BLOB'],
      ['world_delta', 'JSON', 36],
      ['state_before', 'JSON', 25],
      ['world_state_before', 'JSON', 28],
      ['variants', 'JSON', 34],
      ['variant_count', 'INTEGER NOT NULL', 37, '0'],
      ['variant_index', 'INTEGER NOT NULL', 35, '0'],
      ['created_at', 'DATETIME NOT NULL'],
    ],
    keys: { adventure_id: CASCADE('adventures') },
    also: [],
  },
  memories: {
    since: 12,
    columns: [
      ID,
      ['adventure_id', 'INTEGER NOT NULL'],
      ['text', 'TEXT NOT NULL'],
      ['embedding_blob', 'BLOB', 38],
      ['source_start', 'INTEGER'],
      ['source_end', 'INTEGER'],
      ['embedded', 'BOOLEAN NOT NULL', 39, 'false'],
      ['pinned', 'BOOLEAN NOT NULL'],
      ['forgotten', 'BOOLEAN NOT NULL'],
      ['use_count', 'INTEGER NOT NULL'],
      ['last_used_at', 'DATETIME'],
      ['created_at', 'DATETIME NOT NULL'],
    ],
    keys: { adventure_id: CASCADE('adventures') },
    also: [],
  },
  story_cards: {
    since: 12,
    columns: [
      ID,
      ['scenario_id', 'INTEGER'],
      ['adventure_id', 'INTEGER'],
      ['type', 'VARCHAR(100) NOT NULL'],
      ['name', 'VARCHAR(200) NOT NULL'],
      ['keys', 'TEXT NOT NULL'],
      ['entry', 'TEXT NOT NULL'],
      ['notes', 'TEXT NOT NULL'],
      ['source_ref', 'VARCHAR(64)', 33],
    ],
    keys: { scenario_id: CASCADE('scenarios'), adventure_id: CASCADE('adventures') },
    also: [],
  },
  scripts: {
    since: 12,
    columns: [
      ID,
      ['user_id', 'INTEGER', 17],
      ['name', 'VARCHAR(200) NOT NULL'],
      ...CODE,
      ['created_at', 'DATETIME NOT NULL'],
      ['updated_at', 'DATETIME NOT NULL'],
    ],
    keys: { user_id: CASCADE('users') },
    also: [],
  },
  scenario_scripts: {
    since: 12,
    columns: [
      ['scenario_id', 'INTEGER NOT NULL'],
      ['script_id', 'INTEGER NOT NULL'],
    ],
    keys: { scenario_id: CASCADE('scenarios'), script_id: CASCADE('scripts') },
    also: ['PRIMARY KEY (scenario_id, script_id)'],
  },
  adventure_scripts: {
    since: 12,
    columns: [
      ID,
      ['adventure_id', 'INTEGER NOT NULL'],
      ['source_script_id', 'INTEGER', 24],
      ['position', 'INTEGER NOT NULL'],
      ['enabled', 'BOOLEAN NOT NULL'],
      ['name', 'VARCHAR(200) NOT NULL'],
      ...CODE,
    ],
    keys: { adventure_id: CASCADE('adventures'), source_script_id: 'scripts (id) ON DELETE SET NULL' },
    also: [],
  },
}

/** What later builds add to any version. */
const LATER = `
  CREATE TABLE analytics_daily (id INTEGER NOT NULL PRIMARY KEY, day VARCHAR(10) NOT NULL, metric VARCHAR(32) NOT NULL,
    label VARCHAR(80) NOT NULL, hits INTEGER NOT NULL, UNIQUE (day, metric, label));
  CREATE INDEX ix_analytics_daily_day ON analytics_daily (day);
  CREATE TABLE analytics_visitor_days (id INTEGER NOT NULL PRIMARY KEY, day VARCHAR(10) NOT NULL,
    visitor VARCHAR(32) NOT NULL, is_new BOOLEAN NOT NULL, opened BOOLEAN NOT NULL, created BOOLEAN NOT NULL,
    played BOOLEAN NOT NULL, signed_up BOOLEAN NOT NULL, UNIQUE (day, visitor));
  CREATE TABLE access_events (id INTEGER NOT NULL PRIMARY KEY, at DATETIME NOT NULL, kind VARCHAR(16) NOT NULL,
    user_id INTEGER, who VARCHAR(320) NOT NULL, is_guest BOOLEAN NOT NULL, ip VARCHAR(45) NOT NULL,
    country VARCHAR(16) NOT NULL, device VARCHAR(16) NOT NULL, user_agent VARCHAR(200) NOT NULL);
  INSERT INTO analytics_daily VALUES (1, '2026-08-22', 'pageview', '/play/:id', 3);
  INSERT INTO access_events VALUES (1, '2026-08-22 10:00:00.000000', 'session', 1, 'Local', 0, '127.0.0.1', '', 'desktop', '');`

/** Creates the tables of a file that was created at one version and upgraded to another. */
export function makeTables(
  db: Database,
  born: number,
  at: number,
  laterTables: boolean,
  strange?: string,
): void {
  for (const [name, table] of Object.entries(TABLES)) {
    if (table.since > at) continue
    const columns: Column[] = strange === undefined ? table.columns : [...table.columns, ['strange', strange]]
    make(db, name, { ...table, columns }, table.since <= born ? born : 45)
  }
  for (const [name, { columns, keys, since: made }] of Object.entries(TABLES))
    for (const [column, declaration, since = 12, byDefault] of columns)
      if (made <= born && since > born && since <= at)
        db.run(`ALTER TABLE ${name} ADD COLUMN ${added(column, declaration, byDefault, keys[column])}`)
  if (born < 23 && at >= 23) db.run('CREATE UNIQUE INDEX ix_settings_user_id ON settings (user_id)')
  if (born < 42 && at >= 42) db.run('ALTER TABLE memories DROP COLUMN embedding')
  if (born < 43 && at >= 43) db.run('ALTER TABLE actions ADD COLUMN context_snapshot_z BLOB')
  if (born < 44 && at >= 44) db.run('ALTER TABLE actions DROP COLUMN context_snapshot')
  if (born < 45 && at >= 45)
    db.run('ALTER TABLE actions RENAME COLUMN context_snapshot_z TO context_snapshot')
  if (laterTables) db.run(LATER)
}

/** Creates a table as a version creates it. */
export function make(db: Database, name: string, { columns, keys, also }: Table, version: number): void {
  const present = columns.filter(([, , since = 12]) => since <= version)
  const declared = present.flatMap(([column, declaration]) => {
    const old = column === 'context_snapshot' && version < 43 ? 'JSON' : declaration
    const vector = name === 'memories' && column === 'text' && version < 42 ? ['embedding JSON'] : []
    return [`"${column}" ${old}`, ...vector]
  })
  const names = new Set(present.map(([column]) => column))
  const constraints = [
    ...(names.has('id') ? ['PRIMARY KEY (id)'] : []),
    ...also.filter((one) => !one.includes('user_id') || names.has('user_id')),
    ...Object.entries(keys).flatMap(([column, to]) =>
      names.has(column) ? [`FOREIGN KEY ("${column}") REFERENCES ${to}`] : [],
    ),
  ]
  db.run(`CREATE TABLE ${name} (${[...declared, ...constraints].join(', ')})`)
}

function added(column: string, declaration: string, byDefault?: string, key?: string): string {
  const demanded = byDefault === 'NULL' ? declaration.replace(' NOT NULL', '') : declaration
  const given = byDefault === undefined || byDefault === 'NULL' ? '' : ` DEFAULT ${byDefault}`
  return `${column} ${demanded}${given}${key === undefined ? '' : ` REFERENCES ${key}`}`
}
