import type { Database } from 'bun:sqlite'
import { quoted } from './database.ts'
import { judgeColumns, versionOf } from './earlier-release/validate.ts'
import { takeSteps } from './earlier-release/steps.ts'
import { setRight } from './furnish.ts'
import { allMigrations, BASE_VERSION, migrate, migrationText, takenMigrations } from './library/migrate.ts'

/** The names of the steps of ours that a file lacks; the earlier release's own come before them all. */
export function missingMigrations(db: Database): string[] {
  const taken = takenMigrations(db)
  return allMigrations().filter((name) => !taken.includes(name))
}

/**
 * Takes every step that a file lacks, the earlier release's and ours, and sets right what follows from them: all of it in
 * one transaction, or nothing. Throws LibraryRefused for columns that do not fit.
 */
export function bringForward(db: Database): void {
  db.transaction(() => {
    const version = versionOf(db)
    if (version < BASE_VERSION) asideFrom(db, () => toBaseVersion(db, version))
    judgeColumns(db)
    migrate(db, missingMigrations(db))
    setRight(db)
  }).exclusive()
}

function toBaseVersion(db: Database, version: number): void {
  // The earlier release, too, made whole what was missing before it took a step.
  db.run(migrationText('0001-baseline.sql'))
  takeSteps(db, version)
  db.run(`PRAGMA user_version = ${BASE_VERSION}`)
}

/**
 * Takes down what looks at a column that may go, and puts it up again. A player's own views and indexes hold nothing
 * that is not in the tables; an index whose column is gone stays away.
 */
function asideFrom(db: Database, work: () => void): void {
  const aside = db
    .query<{ type: string; name: string; sql: string }, []>(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND (type = 'view' OR (type = 'index' AND tbl_name IN ('actions', 'memories')))",
    )
    .all()
  for (const { type, name } of aside) db.run(`DROP ${type} ${quoted(name)}`)
  work()
  for (const { sql } of aside) putUp(db, sql)
}

function putUp(db: Database, sql: string): void {
  try {
    db.run(sql)
  } catch (error) {
    if (!/no such column/.test(String(error))) throw error
  }
}
