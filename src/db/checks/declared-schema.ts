import { type Column, columnsOf } from '../declared-columns.ts'
import { UNUSED_TABLES } from '../library/declarations.ts'
import { allMigrations, inMemoryLibrary } from '../library/migrate.ts'

/** A table that we read, as declared by the migrations. */
interface DeclaredTable {
  name: string
  columns: Column[]
  hasRowid: boolean
  /** Columns that refer to a row of another table. */
  parents: { column: string; table: string; to: string }[]
}

/** Keyed by the list of migrations, which do not change while a program runs. */
const cache = new Map<string, DeclaredTable[]>()

/** The tables that the given migrations create, except unused ones and those of the text search. */
export function declaredTables(migrations: readonly string[] = allMigrations()): DeclaredTable[] {
  const key = migrations.join()
  const tables = cache.get(key) ?? readTables(migrations)
  cache.set(key, tables)
  return tables
}

function readTables(migrations: readonly string[]): DeclaredTable[] {
  using db = inMemoryLibrary(migrations)
  return db
    .query<{ name: string; wr: number }, []>(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'",
    )
    .all()
    .filter(({ name }) => !name.startsWith('sqlite_') && !UNUSED_TABLES.has(name))
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

/** The tables and indexes that the given migrations create, including the text search, except unused ones. */
export function declaredNames(migrations: readonly string[]): { type: string; name: string }[] {
  using db = inMemoryLibrary(migrations)
  return db
    .query<{ type: string; name: string }, []>(
      "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'",
    )
    .all()
    .filter(({ name }) => !UNUSED_TABLES.has(name))
}
