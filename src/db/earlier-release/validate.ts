import { Database } from 'bun:sqlite'
import { columnsOf, hasColumn, neutralValue } from '../database.ts'
import { allMigrations, BASE_VERSION, migrationText, takenMigrations } from '../library/migrate.ts'
import { LibraryRefused } from '../refused.ts'
import { FIRST_VERSION, STEPS } from './steps.ts'

/** Tables that must be there. The inert ones may be missing: nothing reads them. */
const TABLES = ['users', 'settings', 'scenarios', 'adventures', 'actions', 'memories', 'story_cards']

/** The last version in which an action is still one row, so that the file reads as the base version. */
const LAST_LINEAR_VERSION = 56

/** Ids from here on run into each other in the search index. */
const MOST_ROWS = 2 ** 40

/** Whether a file is one that we know and can write into. Throws LibraryRefused. */
export function judge(db: Database): void {
  recognise(db)
  const [trigger] = namesOf(db, 'trigger')
  if (trigger)
    throw new LibraryRefused(
      `It has the trigger ${trigger}, which could change stories unseen. Remove it with DROP TRIGGER.`,
    )
  judgeNumbers(db)
}

/**
 * Whether a file is one that we know: ours, or the earlier release's. Judged by what is in it, because version numbers
 * alone do not tell. Throws LibraryRefused.
 */
export function recognise(db: Database): void {
  const tables = namesOf(db, 'table')
  if (!tables.includes('adventures') || !tables.includes('actions'))
    throw new LibraryRefused('It is a database, but not a library of stories.')
  if (tables.includes('branches'))
    throw new LibraryRefused(
      'It comes from a later build that kept stories as trees, which Inglenook does not read.',
    )
  const stranger = takenMigrations(db).find((name) => !allMigrations().includes(name))
  if (stranger) throw new LibraryRefused(`A newer Inglenook has changed it (${stranger}). Use that one.`)
  judgeVersion(db)
}

function namesOf(db: Database, type: string): string[] {
  return db
    .query<{ name: string }, [string]>('SELECT name FROM sqlite_schema WHERE type = ?')
    .all(type)
    .map(({ name }) => name)
}

/**
 * The version of the earlier release that a file is at. One without a number, which was written out and read in again,
 * tells by its columns; what only changed values counts as done.
 */
export function versionOf(db: Database): number {
  const said = db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
  if (said !== 0) return said
  const missing = STEPS.find((step) => 'table' in step && !hasColumn(db, step.table, step.column))
  if (!hasColumn(db, 'users', 'id')) return FIRST_VERSION
  return missing ? missing.version - 1 : BASE_VERSION
}

/**
 * Whether a file that was brought forward has every column that we read, and none that we could not fill. Throws
 * LibraryRefused.
 */
export function judgeColumns(db: Database): void {
  using known = new Database(':memory:')
  for (const name of allMigrations()) known.run(migrationText(name))
  using base = new Database(':memory:')
  base.run(migrationText('0001-baseline.sql'))
  for (const table of TABLES) {
    const missing = columnsOf(base, table).find(({ name }) => !hasColumn(db, table, name))
    if (missing)
      throw new LibraryRefused(
        `It has no column ${table}.${missing.name}, which every library of its version has.`,
      )
    const unfillable = columnsOf(db, table).find(
      ({ name, type, notnull, dflt_value }) =>
        !hasColumn(known, table, name) && notnull && dflt_value === null && neutralValue(type) === undefined,
    )
    if (unfillable)
      throw new LibraryRefused(
        `Its column ${table}.${unfillable.name} must be filled, and Inglenook does not know with what.`,
      )
  }
}

function judgeVersion(db: Database): void {
  const version = versionOf(db)
  if (version < FIRST_VERSION)
    throw new LibraryRefused(
      `It was left by version ${version} of the earlier release; Inglenook reads it from version ${FIRST_VERSION} on.`,
    )
  if (version > LAST_LINEAR_VERSION)
    throw new LibraryRefused(`It says version ${version}, which Inglenook does not know.`)
}

// What we cannot count exactly we would look for in vain, or for ever.
function judgeNumbers(db: Database): void {
  const tables = namesOf(db, 'table')
  for (const table of TABLES.filter((name) => tables.includes(name))) {
    const { last } = db.query<{ last: number | null }, []>(`SELECT max(id) AS last FROM ${table}`).get() ?? {}
    if (last && last >= MOST_ROWS)
      throw new LibraryRefused(`Its table ${table} has the row ${last}, further than Inglenook can count.`)
  }
  const lost = db.query<{ id: number }, [number]>(
    `SELECT id FROM actions WHERE typeof("index") <> 'integer' OR "index" NOT BETWEEN -?1 AND ?1 LIMIT 1`,
  )
  const action = lost.get(MOST_ROWS)
  if (action)
    throw new LibraryRefused(`Its action ${action.id} stands at no place in a story that can be counted.`)
}
