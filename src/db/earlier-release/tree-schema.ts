import type { Database } from 'bun:sqlite'
import { hasColumn } from '../declared-columns.ts'
import { LibraryRefused } from '../library-refused.ts'

/** The versions of the earlier release that store a story as a tree. */
const FIRST_TREE_VERSION = 46
const LAST_TREE_VERSION = 64

const BRANCH = 'INTEGER REFERENCES branches (id) ON DELETE CASCADE'

/** The columns that these versions add to tables of version 45, as far as we read them. */
const ADDED: readonly [table: string, column: string, as: string, isInAll?: true][] = [
  ['actions', 'branch_id', BRANCH, true],
  ['actions', 'depth', 'INTEGER', true],
  ['adventures', 'head_branch_id', 'INTEGER', true],
  ['adventures', 'head_depth', 'INTEGER NOT NULL DEFAULT -1', true],
  ['memories', 'branch_id', BRANCH, true],
  ['memories', 'depth', 'INTEGER', true],
  ['adventures', 'summary_cursor_branch_id', 'INTEGER'],
  ['adventures', 'summary_cursor_depth', 'INTEGER NOT NULL DEFAULT -1'],
  ['actions', 'live', 'BOOLEAN NOT NULL DEFAULT 1'],
  ['actions', 'world_state_after', 'JSON'],
  ['actions', 'parent_id', 'INTEGER REFERENCES actions (id) ON DELETE SET NULL'],
]

const BRANCH_COLUMNS = ['id', 'adventure_id', 'parent_branch_id', 'fork_depth', 'lineage', 'created_at']

export const TREE_SCHEMA = `CREATE TABLE branches (
    id INTEGER NOT NULL PRIMARY KEY,
    adventure_id INTEGER NOT NULL REFERENCES adventures (id) ON DELETE CASCADE,
    parent_branch_id INTEGER REFERENCES branches (id) ON DELETE CASCADE,
    fork_depth INTEGER,
    lineage JSON NOT NULL,
    name VARCHAR(80),
    created_at DATETIME NOT NULL
  );
  ${ADDED.map(([table, column, as]) => `ALTER TABLE ${table} ADD COLUMN ${column} ${as};`).join('\n')}`

export function isTreeLibrary(db: Database): boolean {
  return db.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'branches'").get() !== null
}

export function isTreeColumn(table: string, column: string): boolean {
  return ADDED.some(([ofTable, name]) => ofTable === table && name === column)
}

/** Throws LibraryRefused unless a library with a table of branches has what its version (0 for an unknown one) has. */
export function assertTreeLibrary(db: Database, version: number): void {
  if (version !== 0 && (version < FIRST_TREE_VERSION || version > LAST_TREE_VERSION))
    throw new LibraryRefused(
      `It has schema version ${version} and a table of branches. Inglenook can read such libraries of versions ${FIRST_TREE_VERSION} to ${LAST_TREE_VERSION}.`,
    )
  const required = [
    ...BRANCH_COLUMNS.map((column) => ['branches', column] as const),
    ...ADDED.filter(([, , , isInAll]) => isInAll),
  ]
  const missing = required.find(([table, column]) => !hasColumn(db, table, column))
  if (missing) throw new LibraryRefused(`The column ${missing[0]}.${missing[1]} is missing.`)
}

export function addTreeColumns(db: Database): void {
  const all = [['branches', 'name', 'VARCHAR(80)'] as const, ...ADDED]
  for (const [table, column, as] of all)
    if (!hasColumn(db, table, column)) db.run(`ALTER TABLE ${table} ADD COLUMN ${column} ${as}`)
}
