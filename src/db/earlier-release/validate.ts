import type { Database } from 'bun:sqlite'
import { unlessDamaged } from '../checks/check.ts'
import { columnsOf, hasColumn, quoted } from '../declared-columns.ts'
import { ownTables } from '../library/declarations.ts'
import { allMigrations, appliedMigrations, BASE_VERSION } from '../library/migrate.ts'
import { LibraryRefused } from '../library-refused.ts'
import { FIRST_VERSION, STEPS } from './steps.ts'
import { assertTreeLibrary, isTreeLibrary } from './tree-schema.ts'

/** Tables of removed features may be missing, because nothing reads them. */
const TABLES = ['users', 'settings', 'scenarios', 'adventures', 'actions', 'memories', 'story_cards']

/** The last version of a library without branches that can be read as the base version. */
const LAST_LINEAR_VERSION = 56

/** The search index combines ids of several tables; from this id on they would collide. */
const MAX_ID = 2 ** 40

/** Throws LibraryRefused unless a file is a library that we know and can write to. */
export function assertWritableLibrary(db: Database): void {
  assertKnownLibrary(db)
  const [trigger] = listNames(db, 'trigger')
  if (trigger)
    throw new LibraryRefused(
      `It has the trigger ${trigger}, which could change stories unnoticed. Remove it with DROP TRIGGER.`,
    )
  assertCountableIds(db)
}

/** Throws LibraryRefused for a file of another program. Reads tables: version numbers are not conclusive. */
export function assertKnownLibrary(db: Database): void {
  const tables = listNames(db, 'table')
  if (!tables.includes('adventures') || !tables.includes('actions'))
    throw new LibraryRefused('It is a database, but not an Inglenook library.')
  const unknown = appliedMigrations(db).find((name) => !allMigrations().includes(name))
  if (unknown)
    throw new LibraryRefused(
      `A newer version of Inglenook has upgraded it (${unknown}). Open it with that version.`,
    )
  assertKnownVersion(db)
  assertReadableCells(db)
}

/** Names that lists show. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  scenarios: ['title', 'description', 'tags', 'icon'],
  adventures: ['title'],
  story_cards: ['type', 'name'],
  bookmarks: ['name'],
}

const MIB = 2 ** 20
/** Bytes: far more than anybody has typed, and what a page can still show. */
const MAX_NAME = MIB
const MAX_CELL = 16 * MIB

// SQLite knows the length of a cell without reading it.
function assertReadableCells(db: Database): void {
  for (const { name: table } of ownTables(db).filter(({ isVirtual }) => !isVirtual)) {
    const tests = columnsOf(db, table).map(({ name }) => {
      const limit = NAMES[table]?.includes(name) ? MAX_NAME : MAX_CELL
      return `WHEN octet_length(${quoted(name)}) > ${limit} THEN '${limit / MIB} MB: ' || ${literal(name)}`
    })
    const sql = `SELECT long FROM (SELECT CASE ${tests.join(' ')} END AS long FROM ${quoted(table)}) WHERE long IS NOT NULL LIMIT 1`
    // Damage is for the check of the file to report.
    const found = unlessDamaged(null, () => db.query<{ long: string }, []>(sql).get())
    if (found)
      throw new LibraryRefused(
        `Its table ${table} has a value that is longer than ${found.long}. No page could show it. Choose another file.`,
      )
  }
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function listNames(db: Database, type: string): string[] {
  return db
    .query<{ name: string }, [string]>('SELECT name FROM sqlite_schema WHERE type = ?')
    .all(type)
    .map(({ name }) => name)
}

/** Derived from the columns if the number is missing, because the database was dumped and reloaded. */
export function versionOf(db: Database): number {
  const stored = storedVersion(db)
  if (stored !== 0) return stored
  const missing = STEPS.find((step) => 'table' in step && !hasColumn(db, step.table, step.column))
  if (!hasColumn(db, 'users', 'id')) return FIRST_VERSION
  return missing ? missing.version - 1 : BASE_VERSION
}

function storedVersion(db: Database): number {
  return db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
}

function assertKnownVersion(db: Database): void {
  const version = versionOf(db)
  if (version < FIRST_VERSION)
    throw new LibraryRefused(
      `It has schema version ${version} of the earlier release. Inglenook can read version ${FIRST_VERSION} and later.`,
    )
  if (isTreeLibrary(db)) assertTreeLibrary(db, storedVersion(db))
  else if (version > LAST_LINEAR_VERSION)
    throw new LibraryRefused(`It has schema version ${version}, which Inglenook does not know.`)
}

// JavaScript cannot represent larger numbers exactly, so queries would miss rows or never end.
function assertCountableIds(db: Database): void {
  for (const table of TABLES.filter((name) => hasColumn(db, name, 'id'))) {
    const { last } = db.query<{ last: number | null }, []>(`SELECT max(id) AS last FROM ${table}`).get() ?? {}
    if (last && last >= MAX_ID)
      throw new LibraryRefused(
        `The table ${table} has a row with id ${last}, which is too large for Inglenook.`,
      )
  }
  if (!hasColumn(db, 'actions', 'index')) return
  const unordered = db.query<{ id: number }, [number]>(
    `SELECT id FROM actions WHERE typeof("index") <> 'integer' OR "index" NOT BETWEEN -?1 AND ?1 LIMIT 1`,
  )
  const action = unordered.get(MAX_ID)
  if (action) throw new LibraryRefused(`Action ${action.id} has no valid position in its story.`)
}
