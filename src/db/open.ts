import { Database } from 'bun:sqlite'
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { connect, Library, type Watch } from './database.ts'
import { judge } from './earlier-release.ts'
import { furnish, setRight } from './furnish.ts'
import { takeLock } from './lock.ts'
import { allMigrations, BASE_VERSION, migrate, takenMigrations } from './migrate.ts'
import { LibraryRefused } from './refused.ts'

/** Milliseconds that a connection waits for another program: while opening, and while serving. */
const OPENING = 5_000
const SERVING = 100

/**
 * Opens the library at a path, or makes a fresh one where there is nothing. An existing file is judged on a copy,
 * and copied beside itself before its first change (rulings of the data: `docs/ARCHITECTURE.md`). Throws LibraryRefused.
 */
export function openLibrary(path: string, watch: Watch = () => {}): Library {
  const lock = refuseInWords(path, () => {
    mkdirSync(dirname(path), { recursive: true })
    return takeLock(path)
  })
  try {
    return refuseInWords(path, () => {
      if (existsSync(path)) bringForward(path)
      else makeFresh(path)
      const db = connect(path, OPENING)
      setRight(db)
      db.run(`PRAGMA busy_timeout = ${SERVING}`)
      return new Library(path, db, lock, watch)
    })
  } catch (error) {
    lock.close()
    throw error
  }
}

// Under a temporary name until it is whole: a kill in between leaves no half library.
function makeFresh(path: string): void {
  if (existsSync(`${path}-wal`) || existsSync(`${path}-journal`))
    throw new LibraryRefused(
      'Its journal is there but the file itself is gone. Put the file back, or move the journal away.',
    )
  const unfinished = `${path}.new`
  rmSync(unfinished, { force: true })
  const db = new Database(unfinished, { create: true, readwrite: true })
  migrate(db, allMigrations())
  db.run(`PRAGMA user_version = ${BASE_VERSION}`)
  furnish(db)
  db.close()
  renameSync(unfinished, path)
}

function bringForward(path: string): void {
  const folder = `${path}.judged`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  try {
    const missing = judgeCopy(path, join(folder, 'library.db'))
    if (missing.length === 0) return
    const db = connect(path, OPENING)
    migrate(db, missing)
    db.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Judges a copy, and keeps it beside the file if steps are missing; gives their names. */
function judgeCopy(path: string, copy: string): string[] {
  if (statSync(path).size === 0)
    throw new LibraryRefused('It is empty. Put a copy back, or move it away to begin a fresh library.')
  for (const suffix of ['', '-wal', '-journal'])
    if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix, constants.COPYFILE_FICLONE)
  using db = openCopy(copy)
  judge(db)
  const taken = takenMigrations(db)
  const missing = allMigrations().filter((name) => !taken.includes(name))
  if (missing[0]) keepCopy(db, path, missing[0])
  return missing
}

function openCopy(copy: string): Database {
  const db = new Database(copy, { readwrite: true, create: false })
  try {
    const verdict = db.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()
    if (verdict?.quick_check === 'ok') return db
  } catch (error) {
    const isForeign = error instanceof Error && 'code' in error && error.code === 'SQLITE_NOTADB'
    if (isForeign) throw new LibraryRefused('It is not a database.')
  }
  db.close()
  throw new LibraryRefused('It is damaged. Put a copy back; the damaged file is left as it is.')
}

function keepCopy(db: Database, path: string, migration: string): void {
  const time = new Date().toISOString().replace(/[-:]|\.\d+Z/g, '')
  const name = `${basename(path, '.db')}.before-${migration.replace('.sql', '')}-${time}.db`
  const kept = join(dirname(path), name)
  db.query('VACUUM INTO ?').run(kept)
  const file = openSync(kept, 'r+')
  fsyncSync(file)
  closeSync(file)
}

function refuseInWords<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof LibraryRefused)
      throw error.message.startsWith('Another')
        ? error
        : new LibraryRefused(`${path} was not opened. ${error.message}`)
    throw new LibraryRefused(`${path} was not opened. ${inWords(error)}`)
  }
}

function inWords(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/EACCES|EPERM|EROFS|READONLY|CANTOPEN/.test(code))
    return 'Its folder cannot be written to. Change that, or set APP_DB_PATH.'
  if (/ENOSPC|FULL/.test(code)) return 'The disk is full.'
  if (/ENOTDIR|EEXIST|EISDIR/.test(code)) return 'APP_DB_PATH must name a file in a folder.'
  if (/BUSY|LOCKED/.test(code)) return 'Another program holds it.'
  return `The system says: ${error instanceof Error ? error.message : error}`
}
