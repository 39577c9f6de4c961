import type { Database } from 'bun:sqlite'
import { hasColumn } from '../../declared-columns.ts'
import { LibraryRefused } from '../../library-refused.ts'

/** The versions of the earlier release that keep a story as a tree. */
const FIRST_TREE_VERSION = 46
const LAST_TREE_VERSION = 64

interface AddedColumn {
  table: string
  column: string
  as: string
  /** The version from which on every library has it. */
  since: number
}

const BRANCH = 'INTEGER REFERENCES branches (id) ON DELETE CASCADE'

/** What these versions add to the tables of version 45. */
const ADDED: readonly AddedColumn[] = [
  { table: 'actions', column: 'branch_id', as: BRANCH, since: 46 },
  { table: 'actions', column: 'depth', as: 'INTEGER', since: 46 },
  { table: 'adventures', column: 'head_branch_id', as: 'INTEGER', since: 46 },
  { table: 'adventures', column: 'head_depth', as: 'INTEGER NOT NULL DEFAULT -1', since: 46 },
  { table: 'memories', column: 'branch_id', as: BRANCH, since: 46 },
  { table: 'memories', column: 'depth', as: 'INTEGER', since: 46 },
  { table: 'adventures', column: 'memory_cursor_branch_id', as: 'INTEGER', since: 56 },
  { table: 'adventures', column: 'memory_cursor_depth', as: 'INTEGER NOT NULL DEFAULT -1', since: 56 },
  { table: 'adventures', column: 'summary_cursor_branch_id', as: 'INTEGER', since: 56 },
  { table: 'adventures', column: 'summary_cursor_depth', as: 'INTEGER NOT NULL DEFAULT -1', since: 56 },
  { table: 'actions', column: 'live', as: 'BOOLEAN NOT NULL DEFAULT 1', since: 57 },
  { table: 'actions', column: 'state_after', as: 'JSON', since: 60 },
  { table: 'actions', column: 'world_state_after', as: 'JSON', since: 60 },
  {
    table: 'actions',
    column: 'parent_id',
    as: 'INTEGER REFERENCES actions (id) ON DELETE SET NULL',
    since: 64,
  },
]

/** The tables that these versions have columns in that others do not have. */
export const TREE_TABLES = ['adventures', 'actions', 'memories'] as const

const BRANCH_COLUMNS = ['id', 'adventure_id', 'parent_branch_id', 'fork_depth', 'lineage', 'created_at']

/** Statements that bring the tables of version 45 to those of stories as trees. */
export const TREE_SCHEMA = `CREATE TABLE branches (
    id INTEGER NOT NULL PRIMARY KEY,
    adventure_id INTEGER NOT NULL REFERENCES adventures (id) ON DELETE CASCADE,
    parent_branch_id INTEGER REFERENCES branches (id) ON DELETE CASCADE,
    fork_depth INTEGER,
    lineage JSON NOT NULL,
    name VARCHAR(80),
    created_at DATETIME NOT NULL
  );
  ${ADDED.map(({ table, column, as }) => `ALTER TABLE ${table} ADD COLUMN ${column} ${as};`).join('\n')}`

/** Whether a library keeps its stories as trees. */
export function isTreeLibrary(db: Database): boolean {
  return db.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'branches'").get() !== null
}

/** Whether a column is there only in a library of stories as trees. */
export function isTreeColumn(table: string, column: string): boolean {
  return ADDED.some((added) => added.table === table && added.column === column)
}

/** Throws LibraryRefused unless a library with a table of branches has what its version (0 for an unknown one) has. */
export function assertTreeLibrary(db: Database, version: number): void {
  if (version !== 0 && (version < FIRST_TREE_VERSION || version > LAST_TREE_VERSION))
    throw new LibraryRefused(
      `It has schema version ${version} and a table of branches. Inglenook can read such libraries of versions ${FIRST_TREE_VERSION} to ${LAST_TREE_VERSION}.`,
    )
  const required = [
    ...BRANCH_COLUMNS.map((column) => ({ table: 'branches', column })),
    ...ADDED.filter(({ since }) => since <= Math.max(version, FIRST_TREE_VERSION)),
  ]
  const missing = required.find(({ table, column }) => !hasColumn(db, table, column))
  if (missing) throw new LibraryRefused(`The column ${missing.table}.${missing.column} is missing.`)
}
