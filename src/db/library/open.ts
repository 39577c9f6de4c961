import { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StarterScenario } from '../../domain/scenario.ts'
import {
  connect,
  connectBeside,
  connectInCurrentMode,
  dataVersionOf,
  Library,
  type QueryWatch,
  type Reader,
  SERVING_TIMEOUT,
} from '../database.ts'
import { LibraryRefused, refusingWithReason } from '../library-refused.ts'
import { hasHidden } from '../stories/hidden.ts'
import { libraryName, timestampOf } from './copies/names.ts'
import { clearUnfinished, trialFolder } from './copies/unfinished.ts'
import { exclusively } from './exclusively.ts'
import { fileOf, fileState, identityOf, isInState, stateOf } from './file-state.ts'
import { acquireLock, type LibraryLock } from './lock.ts'
import { allMigrations, BASE_VERSION, migrate } from './migrate.ts'
import { openImmutable } from './open-immutable.ts'
import { libraryPath } from './real-path.ts'
import { repair } from './repair.ts'
import { seed } from './seed.ts'
import { runTrial } from './trial/run-trial.ts'
import { upgrade } from './upgrade.ts'

/** Milliseconds to wait for another program's lock while the library is opened. */
const OPENING_TIMEOUT = 5_000

export interface OpenOptions {
  /** The scenarios of a new library. */
  starters?: readonly StarterScenario[]
  watch?: QueryWatch
  /** Whether a library that is known may be opened for reading before it is checked: see `openKnown`. */
  checksLater?: boolean
}

/**
 * Opens the library at a path, or creates one if nothing is there. A file that is not as a service has left it is first
 * checked on a trial copy, and a copy of it is kept before it is changed (docs/rules.md 13). Throws LibraryRefused.
 */
export function openLibrary(
  given: string,
  { starters = [], watch = () => {}, checksLater = false }: OpenOptions = {},
): Library {
  const outcome = `${given} was not opened.`
  const [path, lock] = refusingWithReason(outcome, () => {
    const path = libraryPath(given)
    mkdirSync(dirname(path), { recursive: true })
    return [path, acquireLock(path)]
  })
  try {
    return refusingWithReason(outcome, () => {
      clearUnfinished(path)
      if (existsSync(path))
        for (const one of [path, dirname(path)]) accessSync(one, constants.R_OK | constants.W_OK)
      const state = lock.leftState
      const isAsLeft = isInState(path, state)
      const known = isAsLeft || !checksLater ? null : openKnown(path, lock)
      if (known)
        return new Library(path, known, watch, { lock, unindexed: 0, dataVersion: 0, isComplete }, 'read')
      if (!existsSync(path)) createLibrary(path, starters)
      else if (!isAsLeft) checkFile(path)
      const db = connect(path, OPENING_TIMEOUT)
      const repairIfNeeded = () => {
        if (isAsLeft) assertUnchanged(path, state)
        return { unindexed: isAsLeft ? 0 : repair(db), dataVersion: dataVersionOf(db) }
      }
      const { unindexed, dataVersion } = exclusively(db, () => db.transaction(repairIfNeeded).exclusive())
      db.run(`PRAGMA busy_timeout = ${SERVING_TIMEOUT}`)
      lock.noteSound(identityOf(path, db))
      return new Library(path, db, watch, { lock, unindexed, dataVersion, isComplete })
    })
  } catch (error) {
    lock.close()
    throw error
  }
}

const isComplete = (reader: Reader) => !hasHidden(reader)

// Between the comparison and our lock on the file.
function assertUnchanged(path: string, state: string): void {
  const journal = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (stateOf(path) !== state || (journal?.size ?? 0) > 0)
    throw new LibraryRefused('Another program is writing to it. Close that program first.')
}

/** Bytes of a library that is opened so fast, checks included, that nobody has to be told. */
const SMALL = 16_000_000

/** Whether nothing of the library of this path can be served until it is checked, which takes long. Throws LibraryRefused. */
export function isLongCheckDue(given: string): boolean {
  const path = libraryPath(given)
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= SMALL) return false
  using lock = acquireLock(path)
  if (isInState(path, lock.leftState)) return false
  using known = openKnown(path, lock)
  return known === null
}

/**
 * A connection for reading to a file that a service has found sound before, and that declares the same as then. Null for
 * any other, and for one with a journal that would have to be rolled back. Does not change the file.
 */
function openKnown(path: string, { soundFile }: LibraryLock): Database | null {
  if (!existsSync(path) || existsSync(`${path}-journal`) || !soundFile.startsWith(`${fileOf(path)} `))
    return null
  // A connection that shares the file would create a journal that it cannot delete again.
  const db = existsSync(`${path}-wal`)
    ? new Database(path, { readonly: true, create: false })
    : openImmutable(path)
  try {
    if (identityOf(path, db) === soundFile) return db
  } catch {
    // It is damaged, as the check will say.
  }
  db.close()
  return null
}

/** A second connection to a library that this service has open, for a worker that writes. */
export function openBeside(path: string): Library {
  return new Library(path, connectBeside(path, OPENING_TIMEOUT), () => {}, null)
}

// Has a temporary name until it is complete, so that a process killed midway leaves no half-made library.
function createLibrary(path: string, starters: readonly StarterScenario[]): void {
  if (existsSync(`${path}-wal`) || existsSync(`${path}-journal`))
    throw new LibraryRefused(
      'Its journal exists but the library file is missing. Put the file back, or move the journal away.',
    )
  const unfinished = `${path}.new`
  try {
    const db = new Database(unfinished, { create: true, readwrite: true })
    try {
      migrate(db, allMigrations())
      db.run(`PRAGMA user_version = ${BASE_VERSION}`)
      seed(db, starters)
    } finally {
      db.close()
    }
    renameSync(unfinished, path)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** Checks a library file on a copy, and upgrades it where migrations are missing. Throws LibraryRefused. */
export function checkFile(path: string): void {
  const folder = trialFolder(path)
  mkdirSync(folder, { mode: 0o700 })
  try {
    if (!needsUpgrade(path, folder)) return
    using db = connectInCurrentMode(path, OPENING_TIMEOUT)
    exclusively(db, () => upgrade(db))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Tries the file. If migrations are missing, keeps a copy of the original next to the library. */
function needsUpgrade(path: string, folder: string): boolean {
  const initialState = fileState(path)
  const { missing } = runTrial({
    file: path,
    folder,
    advice: 'Restore a backup, or move the file away to start with a new library.',
    keep: 'before an upgrade',
  })
  const [first] = missing
  if (first === undefined) return false
  // The earlier release does not take our lock. If it wrote during the copy, the copy may be inconsistent or outdated.
  if (fileState(path) !== initialState)
    throw new LibraryRefused('Another program is writing to it. Close that program first.')
  const name = `${libraryName(path)}.before-${first.replace('.sql', '')}-${timestampOf(new Date())}`
  renameSync(join(folder, 'whole.db'), unusedName(join(dirname(path), name)))
  return true
}

/** The path for a copy. Adds "+" if it is taken, because two starts may fall into the same second. */
function unusedName(name: string): string {
  for (let more = ''; ; more += '+') if (!existsSync(`${name}${more}.db`)) return `${name}${more}.db`
}
