import { Database } from 'bun:sqlite'
import { make, makeTables, TABLES, type Table } from './schema.ts'

/** The versions of which libraries with branches are written. */
export const TREE_VERSIONS = [46, 52, 56, 57, 60, 61, 64] as const

export type TreeVersion = (typeof TREE_VERSIONS)[number]

const TO_BRANCHES = 'branches (id) ON DELETE CASCADE'

/** What these versions add to the tables of version 45. */
const ADDED: Record<string, Pick<Table, 'columns' | 'keys'>> = {
  adventures: {
    columns: [
      ['memory_cursor_branch_id', 'INTEGER', 56],
      ['memory_cursor_depth', 'INTEGER NOT NULL', 56, '-1'],
      ['summary_cursor_branch_id', 'INTEGER', 56],
      ['summary_cursor_depth', 'INTEGER NOT NULL', 56, '-1'],
      ['head_branch_id', 'INTEGER'],
      ['head_depth', 'INTEGER NOT NULL', 46, '-1'],
    ],
    keys: {},
  },
  actions: {
    columns: [
      ['branch_id', 'INTEGER'],
      ['depth', 'INTEGER'],
      ['live', 'BOOLEAN NOT NULL', 57, '1'],
      ['state_after', 'JSON', 57],
      ['world_state_after', 'JSON', 57],
      ['parent_id', 'INTEGER', 64],
    ],
    keys: { branch_id: TO_BRANCHES, parent_id: 'actions (id) ON DELETE SET NULL' },
  },
  memories: {
    columns: [
      ['branch_id', 'INTEGER'],
      ['depth', 'INTEGER'],
    ],
    keys: { branch_id: TO_BRANCHES },
  },
}

const BRANCHES: Table = {
  since: 46,
  columns: [
    ['id', 'INTEGER NOT NULL'],
    ['adventure_id', 'INTEGER NOT NULL'],
    ['parent_branch_id', 'INTEGER'],
    ['fork_depth', 'INTEGER'],
    ['lineage', 'JSON NOT NULL'],
    ['name', 'VARCHAR(80)', 61],
    ['created_at', 'DATETIME NOT NULL'],
  ],
  keys: { adventure_id: 'adventures (id) ON DELETE CASCADE', parent_branch_id: TO_BRANCHES },
  also: [],
}

/** An empty library in a new file: made by a version from 46 on, or made at 45 and brought to it. */
export function makeTreeTables(path: string, version: TreeVersion, made: 'new' | 'brought'): Database {
  const db = new Database(path, { create: true })
  db.run('PRAGMA synchronous = OFF')
  makeTables(db, 45, 45, false)
  if (made === 'new')
    for (const [name, { columns, keys }] of Object.entries(ADDED)) {
      const base = TABLES[name]
      if (!base) continue
      db.run(`DROP TABLE ${name}`)
      const all = { columns: [...base.columns, ...columns], keys: { ...base.keys, ...keys } }
      make(db, name, { ...base, ...all }, version)
    }
  else addTreeColumns(db, version)
  make(db, 'branches', BRANCHES, version)
  markVersion(db, version)
  return db
}

/** Brings the tables of version 45 to a later version. */
export function bringTables(db: Database, version: TreeVersion): void {
  make(db, 'branches', BRANCHES, version)
  addTreeColumns(db, version)
  markVersion(db, version)
}

function addTreeColumns(db: Database, version: TreeVersion): void {
  for (const [name, { columns, keys }] of Object.entries(ADDED))
    for (const [column, declaration, since = 46, byDefault] of columns) {
      if (since > version) continue
      const key = keys[column] ? ` REFERENCES ${keys[column]}` : ''
      const value = byDefault === undefined ? '' : ` DEFAULT ${byDefault}`
      db.run(`ALTER TABLE ${name} ADD COLUMN ${column} ${declaration}${value}${key}`)
    }
}

function markVersion(db: Database, version: TreeVersion): void {
  db.run('CREATE INDEX ix_actions_branch_depth ON actions (branch_id, depth)')
  if (version >= 63) db.run('CREATE INDEX ix_actions_parent ON actions (parent_id)')
  db.run(`PRAGMA user_version = ${version}`)
}
