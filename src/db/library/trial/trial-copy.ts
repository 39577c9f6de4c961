import { Database } from 'bun:sqlite'
import { constants, copyFileSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { WRITE_PRAGMAS } from '../../connections.ts'
import { quoted } from '../../declared-columns.ts'
import { type Conversion, convertTrees } from '../../earlier-release/tree/convert.ts'
import { isTreeLibrary } from '../../earlier-release/tree/schema.ts'
import { assertWritableLibrary } from '../../earlier-release/validate.ts'
import { LibraryRefused, sqliteCode } from '../../library-refused.ts'
import { writeCopy } from '../copies/copy.ts'
import { JOURNAL_SUFFIXES } from '../file-state.ts'
import { missingMigrations, upgrade } from '../upgrade.ts'
import { contentsOf, type LibraryContents } from './library-contents.ts'
import { assertPlainTables } from './plain-tables.ts'
import { smokeTest } from './smoke-test.ts'

/** Bytes of the smallest page. SQLite treats a shorter file as an empty database. */
const MIN_SIZE = 512

/** A file to try. */
export interface Trial {
  file: string
  /** An empty folder for the copies. */
  folder: string
  /** Tells the player what to do with a bad file. */
  advice: string
  /** Whether to keep a whole copy of the file, without a journal: "whole.db" in the folder. */
  keep: 'always' | 'before an upgrade'
}

/** What came of a trial: the migrations that the file lacks, and what it holds. */
export interface TrialResult {
  missing: string[]
  /** What was converted, if the file keeps stories as trees: "converted.db" in the folder is what it becomes. */
  conversion: Conversion | null
  contents: LibraryContents
}

/**
 * Copies a file with its journals, checks that the copy is an intact library, upgrades it, and writes some rows to it, so
 * that whatever would fail or take too long does so there. Writes nothing to the file itself. Runs in a process with limits:
 * see `runTrial`. Throws LibraryRefused.
 */
export function tryLibrary({ file, folder, advice, keep }: Trial): TrialResult {
  if (!statSync(file).isFile()) throw new LibraryRefused('It is not a file.')
  const { size } = statSync(file)
  if (size === 0) throw new LibraryRefused(`It is empty. ${advice}`)
  if (size < MIN_SIZE) throw new LibraryRefused('It is not a database.')
  const copy = join(folder, 'copy.db')
  for (const suffix of JOURNAL_SUFFIXES)
    if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix, constants.COPYFILE_FICLONE)
  using db = new Database(copy, { readwrite: true, create: false })
  // Only tables of other programs can have any: see `assertPlainTables`.
  db.run('PRAGMA ignore_check_constraints = ON')
  assertIntact(db, copy, advice)
  assertWritableLibrary(db)
  const missing = missingMigrations(db)
  const isTree = isTreeLibrary(db)
  if (keep === 'always' || (missing.length > 0 && !isTree)) writeCopy(db, join(folder, 'whole.db'))
  return { missing, ...tryUpgrade(db, isTree ? join(folder, 'converted.db') : null) }
}

/** Returns what the copy holds, as read from the upgraded tables. Stories as trees are converted and kept as `converted`. */
function tryUpgrade(copy: Database, converted: string | null): Omit<TrialResult, 'missing'> {
  // The copy need not survive a loss of power.
  const pragmas = [...WRITE_PRAGMAS, 'synchronous = OFF']
  try {
    const conversion = converted === null ? null : convertTrees(copy)
    for (const pragma of pragmas) copy.run(`PRAGMA ${pragma}`)
    upgrade(copy)
    if (converted !== null) writeCopy(copy, converted)
    const contents = contentsOf(copy)
    smokeTest(copy)
    return { conversion, contents }
  } catch (error) {
    const code = sqliteCode(error)
    if (!/^SQLITE_(ERROR|CONSTRAINT)/.test(code)) throw error
    throw new LibraryRefused(
      `Its tables do not accept stories (${error instanceof Error ? error.message : code}).`,
    )
  }
}

function assertIntact(db: Database, copy: string, advice: string): void {
  try {
    // Before anything else, because a check of the rows computes what the tables declare.
    assertPlainTables(db)
    if (isIntact(db) && !isTruncated(db, copy)) return
  } catch (error) {
    if (error instanceof LibraryRefused) throw error
    if (sqliteCode(error) === 'SQLITE_NOTADB') throw new LibraryRefused('It is not a database.')
  }
  throw new LibraryRefused(`It is damaged; nothing was changed. ${advice}`)
}

/** Whether every table of a file is intact, except for the text search, which can be rebuilt. */
// Table by table, because a check of the whole file would also verify every word of the search index.
export function isIntact(db: Database): boolean {
  const tables = db.query<{ name: string }, []>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
  )
  return [...tables.all(), { name: 'sqlite_schema' }].every(({ name }) => {
    const check = `PRAGMA quick_check(${quoted(name)})`
    return db.query<{ quick_check: string }, []>(check).get()?.quick_check === 'ok'
  })
}

// SQLite reads a truncated last page as if the rest were zeros.
function isTruncated(db: Database, copy: string): boolean {
  const number = (pragma: string) => Object.values(db.query(`PRAGMA ${pragma}`).get() ?? {})[0]
  // Pages that are only in the journal may be missing from the file.
  if (statSync(`${copy}-wal`, { throwIfNoEntry: false })?.size) return false
  return statSync(copy).size < Number(number('page_count')) * Number(number('page_size'))
}
