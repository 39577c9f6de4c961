import { Database } from 'bun:sqlite'
import { columnsOf, neutralValue } from './database.ts'
import { allMigrations, BASE_VERSION, migrationText, takenMigrations } from './migrate.ts'
import { LibraryRefused } from './refused.ts'

/** Tables that must be there. The inert ones may be missing: nothing reads them. */
const TABLES = ['users', 'settings', 'scenarios', 'adventures', 'actions', 'memories', 'story_cards']

/** The last version in which an action is still one row, so that the file reads as the base version. */
const LAST_LINEAR_VERSION = 56

/**
 * Whether a file is one that we know: ours, or the earlier release's. Judged by tables and columns, because version
 * numbers alone do not tell. Throws LibraryRefused.
 */
export function judge(db: Database): void {
  const version = db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
  const tables = new Set(
    db
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => name),
  )
  if (!tables.has('adventures') || !tables.has('actions'))
    throw new LibraryRefused('It is a database, but not a library of stories.')
  if (tables.has('branches'))
    throw new LibraryRefused(
      'It comes from a later build that kept stories as trees, which Inglenook does not read.',
    )
  const stranger = takenMigrations(db).find((name) => !allMigrations().includes(name))
  if (stranger) throw new LibraryRefused(`A newer Inglenook has changed it (${stranger}). Use that one.`)
  if (version < BASE_VERSION)
    throw new LibraryRefused(
      `It was left by version ${version} of the earlier release; Inglenook reads version ${BASE_VERSION}.`,
    )
  if (version > LAST_LINEAR_VERSION)
    throw new LibraryRefused(`It says version ${version}, which Inglenook does not know.`)
  judgeColumns(db)
}

function judgeColumns(db: Database): void {
  using known = new Database(':memory:')
  for (const name of allMigrations()) known.run(migrationText(name))
  using base = new Database(':memory:')
  base.run(migrationText('0001-baseline.sql'))
  for (const table of TABLES) {
    const present = columnsOf(db, table)
    const missing = columnsOf(base, table).find(({ name }) => !present.some((column) => column.name === name))
    if (missing)
      throw new LibraryRefused(
        `It has no column ${table}.${missing.name}, which every library of its version has.`,
      )
    const ours = new Set(columnsOf(known, table).map(({ name }) => name))
    const unfillable = present.find(
      ({ name, type, notnull, dflt_value }) =>
        !ours.has(name) && notnull && dflt_value === null && neutralValue(type) === undefined,
    )
    if (unfillable)
      throw new LibraryRefused(
        `Its column ${table}.${unfillable.name} must be filled, and Inglenook does not know with what.`,
      )
  }
}
