import { Database } from 'bun:sqlite'
import { type Column, columnsOf } from '../database.ts'
import { allMigrations, migrationText } from '../library/migrate.ts'

/** A table of ours that is read, as our steps declare it. */
export interface Declared {
  name: string
  columns: Column[]
  hasRowid: boolean
  /** Columns that name a row of another table. */
  parents: { column: string; table: string; to: string }[]
}

/** Tables that serve removed features; a file may be without them. */
const INERT = new Set([
  'scripts',
  'scenario_scripts',
  'adventure_scripts',
  'analytics_daily',
  'analytics_visitor_days',
])

/** What was asked once: the steps do not change while a program runs. */
const known = new Map<string, Declared[]>()

/** All tables of ours but inert ones and those of the text search, after the given steps; after all of them when not said. */
export function declaredTables(steps: readonly string[] = allMigrations()): Declared[] {
  const key = steps.join()
  const tables = known.get(key) ?? readTables(steps)
  known.set(key, tables)
  return tables
}

function readTables(steps: readonly string[]): Declared[] {
  using db = declared(steps)
  return db
    .query<{ name: string; wr: number }, []>(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'",
    )
    .all()
    .filter(({ name }) => !name.startsWith('sqlite_') && !INERT.has(name))
    .map(({ name, wr }) => ({
      name,
      columns: columnsOf(db, name),
      hasRowid: wr === 0,
      parents: db
        .query<{ column: string; table: string; to: string }, [string]>(
          'SELECT "from" AS "column", "table", "to" FROM pragma_foreign_key_list(?)',
        )
        .all(name),
    }))
}

/** Everything that the given steps make and that is read: tables, indexes, and the text search. */
export function declaredNames(steps: readonly string[]): { type: string; name: string }[] {
  using db = declared(steps)
  return db
    .query<{ type: string; name: string }, []>(
      "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'",
    )
    .all()
    .filter(({ name }) => !INERT.has(name))
}

function declared(steps: readonly string[]): Database {
  const db = new Database(':memory:')
  for (const name of steps) db.run(migrationText(name))
  return db
}
