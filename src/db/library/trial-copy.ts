import { Database } from 'bun:sqlite'
import { constants, copyFileSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { WRITE_PRAGMAS } from '../connections.ts'
import { quoted } from '../declared-columns.ts'
import { convertTrees } from '../earlier-release/convert-trees.ts'
import { isTreeLibrary } from '../earlier-release/tree-schema.ts'
import { assertWritableLibrary } from '../earlier-release/validate.ts'
import { isRoomError, LibraryRefused, sqliteCode } from '../library-refused.ts'
import { contentsOf, type LibraryContents } from './copies/contents.ts'
import { syncToDisk, writeCopy } from './copies/copy.ts'
import { assertDeclared, assertHarmless, ownTables } from './declarations.ts'
import { JOURNAL_SUFFIXES } from './file-state.ts'
import { missingMigrations, upgrade } from './upgrade.ts'

/** Bytes of the smallest page. SQLite treats a shorter file as an empty database. */
const MIN_SIZE = 512

export interface Trial {
  file: string
  folder: string
  /** Advice for the player about a bad file. */
  advice: string
  /** Keeps a whole copy of the file, without a journal: "whole.db" in the folder. */
  keep: 'always' | 'before an upgrade'
}

interface TrialResult {
  missing: string[]
  /** Receipt if the file keeps stories as trees: "converted.db" in the folder is what it becomes. Else ''. */
  converted: string
  contents: LibraryContents
}

/**
 * Copies a file with its journals, checks that the copy is an intact library with our tables, and upgrades it, so that whatever
 * would fail does so there. Writes nothing to the file itself. Throws LibraryRefused.
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
  // CHECKs can only be those of tables of other programs.
  for (const pragma of ['cell_size_check', 'ignore_check_constraints']) db.run(`PRAGMA ${pragma} = ON`)
  assertIntact(db, copy, advice)
  // The copy need not survive a loss of power.
  for (const pragma of [...WRITE_PRAGMAS, 'synchronous = OFF']) db.run(`PRAGMA ${pragma}`)
  assertWritableLibrary(db)
  const missing = missingMigrations(db)
  const isTree = isTreeLibrary(db)
  const isOutdated = missing.length > 0
  if (keep === 'always' || (isOutdated && !isTree)) writeCopy(db, join(folder, 'whole.db'))
  if (isTree) return { missing, ...convert(db, join(folder, 'converted.db')) }
  refusingUnfitTables(() => (isOutdated ? upgrade(db) : assertDeclared(db)))
  return { missing, converted: '', contents: contentsOf(db) }
}

function convert(trees: Database, path: string): Omit<TrialResult, 'missing'> {
  const converted = refusingUnfitTables(() => convertTrees(trees, path, new Date()))
  syncToDisk(path)
  using db = new Database(path, { readonly: true })
  return { converted, contents: contentsOf(db) }
}

function refusingUnfitTables<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = sqliteCode(error)
    if (!/^SQLITE_(ERROR|CONSTRAINT)/.test(code)) throw error
    throw new LibraryRefused(
      `Its tables do not accept stories (${error instanceof Error ? error.message : code}).`,
    )
  }
}

/** Throws LibraryRefused unless a library is intact and has our tables, all of them. */
export function assertCurrent(db: Database): void {
  assertHarmless(db)
  assertWritableLibrary(db)
  assertDeclared(db)
  if (missingMigrations(db).length > 0 || isTreeLibrary(db) || !isIntact(db))
    throw new LibraryRefused('It is damaged or of another version.')
}

function assertIntact(db: Database, copy: string, advice: string): void {
  try {
    // Before anything else, because a check of the rows computes what the tables declare.
    assertHarmless(db)
    if (isIntact(db) && !isTruncated(db, copy)) return
  } catch (error) {
    if (error instanceof LibraryRefused || isRoomError(error)) throw error
    if (sqliteCode(error) === 'SQLITE_NOTADB') throw new LibraryRefused('It is not a database.')
  }
  throw new LibraryRefused(`It is damaged; nothing was changed. ${advice}`)
}

/** True if every table of ours is intact, except for the text search, which can be rebuilt. */
// Table by table: a check of the whole file would verify every word of the search index, and all of other programs' tables.
export function isIntact(db: Database): boolean {
  const tables = ownTables(db).filter(({ isVirtual }) => !isVirtual)
  return [...tables, { name: 'sqlite_schema' }].every(({ name }) => {
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
