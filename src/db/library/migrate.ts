import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROGRAM_FOLDER } from '../../lib/project.ts'
import { storedTime } from '../column-values.ts'

const folder = join(PROGRAM_FOLDER, 'migrations')

/** The `user_version` of the base schema. Our own migrations are recorded by name in `schema_migrations` instead. */
export const BASE_VERSION = 45

export const BASE_MIGRATION = '0001-baseline.sql'

let all: readonly string[] | undefined

export function allMigrations(): readonly string[] {
  all ??= readdirSync(folder)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort()
  return all
}

export function inMemoryLibrary(migrations: readonly string[] = allMigrations()): Database {
  const db = new Database(':memory:')
  for (const name of migrations) db.run(migrationText(name))
  return db
}

export function appliedMigrations(db: Database): string[] {
  const table = db
    .query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'")
    .get()
  if (table === null) return []
  return db
    .query<{ name: string }, []>('SELECT name FROM schema_migrations ORDER BY name')
    .all()
    .map(({ name }) => name)
}

export const MIGRATIONS_TABLE =
  'CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)'

/** Applies the missing migrations in order: all of them or, if one fails, none. */
export function migrate(db: Database, missing: readonly string[]): void {
  db.transaction(() => {
    db.run(MIGRATIONS_TABLE)
    for (const name of missing) {
      db.run(migrationText(name))
      db.query('INSERT INTO schema_migrations (name, applied_at) VALUES (?, ?)').run(
        name,
        storedTime(new Date()),
      )
    }
  }).immediate()
}

export function migrationText(name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}
