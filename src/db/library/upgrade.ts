import type { Database } from 'bun:sqlite'
import { quoted } from '../declared-columns.ts'
import { applySteps } from '../earlier-release/steps.ts'
import { versionOf } from '../earlier-release/validate.ts'
import { assertDeclared } from './declarations.ts'
import {
  allMigrations,
  appliedMigrations,
  BASE_MIGRATION,
  BASE_VERSION,
  migrate,
  migrationText,
} from './migrate.ts'
import { repair } from './repair.ts'

/** The names of our migrations that a file lacks. Those of the earlier release come before all of them. */
export function missingMigrations(db: Database): string[] {
  const applied = appliedMigrations(db)
  return allMigrations().filter((name) => !applied.includes(name))
}

/**
 * Applies every migration that a file lacks, the earlier release's and ours, and repairs the result, all in one
 * transaction. Throws LibraryRefused for tables that do not fit.
 */
export function upgrade(db: Database): void {
  db.transaction(() => {
    const version = versionOf(db)
    if (version < BASE_VERSION)
      withoutViewsAndIndexes(db, ['actions', 'memories'], () => upgradeToBase(db, version))
    assertDeclared(db)
    const missing = missingMigrations(db)
    migrate(db, missing)
    repair(db, missing)
  }).exclusive()
}

function upgradeToBase(db: Database, version: number): void {
  // Like the earlier release, which created missing tables before it ran its migrations.
  db.run(migrationText(BASE_MIGRATION))
  applySteps(db, version)
  db.run(`PRAGMA user_version = ${BASE_VERSION}`)
}

/**
 * Drops views, and the indexes of some tables, that may depend on a column that goes away, and recreates them afterwards. They
 * hold no data of their own; an index whose column is gone is not recreated.
 */
function withoutViewsAndIndexes(db: Database, tables: readonly string[], work: () => void): void {
  const dropped = db
    .query<{ type: string; name: string; sql: string }, [string]>(
      `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL
          AND (type = 'view' OR (type = 'index' AND tbl_name IN (SELECT value FROM json_each(?))))`,
    )
    .all(JSON.stringify(tables))
  for (const { type, name } of dropped) db.run(`DROP ${type} ${quoted(name)}`)
  work()
  for (const { sql } of dropped) recreate(db, sql)
}

function recreate(db: Database, sql: string): void {
  try {
    db.run(sql)
  } catch (error) {
    if (!/no such column/.test(String(error))) throw error
  }
}
