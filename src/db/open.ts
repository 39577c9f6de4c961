import { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { clearUnfinished, copyInto, judgingFolder, nameOf, stamp } from './copies.ts'
import { connect, Library, SERVING, type Watch } from './database.ts'
import { furnish, setRight } from './furnish.ts'
import { openJudged } from './judged-copy.ts'
import { takeLock } from './lock.ts'
import { allMigrations, BASE_VERSION, migrate, takenMigrations } from './migrate.ts'
import { LibraryRefused, refuseInWords } from './refused.ts'

/** Milliseconds that a connection waits for another program while the library is opened. */
const OPENING = 5_000

/**
 * Opens the library at a path, or makes a fresh one where there is nothing. An existing file is judged on a copy,
 * and copied beside itself before its first change (rulings of the data: `docs/ARCHITECTURE.md`). Throws LibraryRefused.
 */
export function openLibrary(path: string, watch: Watch = () => {}): Library {
  const notOpened = `${path} was not opened.`
  const lock = refuseInWords(notOpened, () => {
    mkdirSync(dirname(path), { recursive: true })
    return takeLock(path)
  })
  try {
    return refuseInWords(notOpened, () => {
      clearUnfinished(path)
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
  try {
    const db = new Database(unfinished, { create: true, readwrite: true })
    try {
      migrate(db, allMigrations())
      db.run(`PRAGMA user_version = ${BASE_VERSION}`)
      furnish(db)
    } finally {
      db.close()
    }
    renameSync(unfinished, path)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

function bringForward(path: string): void {
  accessSync(path, constants.R_OK | constants.W_OK)
  const folder = judgingFolder(path)
  mkdirSync(folder, { mode: 0o700 })
  try {
    const missing = judgeCopy(path, join(folder, 'library.db'))
    if (missing.length === 0) return
    using db = connect(path, OPENING)
    migrate(db, missing)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Judges a copy, and keeps it beside the file if steps are missing; gives their names. */
function judgeCopy(path: string, copy: string): string[] {
  using db = openJudged(path, copy, 'Put a copy back, or move it away to begin a fresh library.')
  const taken = takenMigrations(db)
  const missing = allMigrations().filter((name) => !taken.includes(name))
  if (missing[0]) {
    const name = `${nameOf(path)}.before-${missing[0].replace('.sql', '')}-${stamp(new Date())}.db`
    copyInto(db, `${copy}.before`)
    renameSync(`${copy}.before`, join(dirname(path), name))
  }
  return missing
}
