import { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StarterScenario } from '../../domain/scenario.ts'
import {
  connect,
  connectBeside,
  connectInCurrentMode,
  dataVersionOf,
  openImmutable,
  SERVING_TIMEOUT,
} from '../connections.ts'
import type { QueryWatch, Reader } from '../database.ts'
import { conversionReceipt } from '../earlier-release/tree/conversion-receipt.ts'
import type { Conversion } from '../earlier-release/tree/convert-story.ts'
import { Library } from '../library.ts'
import { LibraryRefused, refusingWithReason } from '../library-refused.ts'
import { hasHidden } from '../stories/hidden.ts'
import { newCopyPath } from './copies/names.ts'
import { replaceLibrary } from './copies/replace.ts'
import { clearUnfinished, trialFolder } from './copies/unfinished.ts'
import { exclusively } from './exclusively.ts'
import { fileOf, fileState, identityOf, isInState, stateOf } from './file-state.ts'
import { acquireLock, type LibraryLock } from './lock.ts'
import { allMigrations, BASE_VERSION, migrate } from './migrate.ts'
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
        return new Library(
          path,
          known,
          watch,
          { lock, unindexed: 0, dataVersion: 0, isComplete, conversion: '' },
          'read',
        )
      const existed = existsSync(path)
      if (!existed) createLibrary(path, starters)
      const converted = existed && !isAsLeft ? checkFile(path, lock) : ''
      const db = connect(path, OPENING_TIMEOUT)
      const repairIfNeeded = () => {
        if (isAsLeft) assertUnchanged(path, state)
        return { unindexed: isAsLeft ? 0 : repair(db), dataVersion: dataVersionOf(db) }
      }
      const { unindexed, dataVersion } = exclusively(db, () => db.transaction(repairIfNeeded).exclusive())
      db.run(`PRAGMA busy_timeout = ${SERVING_TIMEOUT}`)
      lock.noteSound(identityOf(path, db))
      const conversion = converted || lock.conversion
      return new Library(path, db, watch, { lock, unindexed, dataVersion, isComplete, conversion })
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
  if (stateOf(path) !== state || (journal?.size ?? 0) > 0) throw new LibraryRefused(IN_USE)
}

/** Bytes of a library that opens, checks included, without a progress message. */
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

/**
 * Checks a library file on a copy, and upgrades it where migrations are missing. One that keeps stories as trees is replaced by
 * what it was converted to, if its lock is given. Returns what was converted, for the player; '' for nothing. Throws
 * LibraryRefused.
 */
export function checkFile(path: string, lock: LibraryLock | null = null): string {
  const folder = trialFolder(path)
  mkdirSync(folder, { mode: 0o700 })
  try {
    const state = fileState(path)
    const { missing, conversion } = runTrial({
      file: path,
      folder,
      advice: ADVICE,
      keep: 'before an upgrade',
    })
    if (conversion) return replaceByConverted({ path, folder, state, conversion }, lock)
    const [first] = missing
    if (first === undefined) return ''
    // The earlier release does not take our lock. If it wrote during the copy, the copy may be inconsistent or outdated.
    if (fileState(path) !== state) throw new LibraryRefused(IN_USE)
    renameSync(join(folder, 'whole.db'), keptName(path, first.replace('.sql', '')))
    using db = connectInCurrentMode(path, OPENING_TIMEOUT)
    exclusively(db, () => upgrade(db))
    return ''
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const ADVICE = 'Restore a backup, or move the file away to start with a new library.'
const IN_USE = 'Another program is writing to it. Close that program first.'

interface Converted {
  path: string
  folder: string
  /** The state of the file before it was converted. */
  state: string
  conversion: Conversion
}

function replaceByConverted(
  { path, folder, state, conversion }: Converted,
  lock: LibraryLock | null,
): string {
  if (lock === null)
    throw new LibraryRefused(
      'The earlier release has changed how it keeps stories. Start Inglenook again to convert them.',
    )
  const kept = keptName(path, 'branches')
  const receipt = conversionReceipt(conversion, kept)
  const begin = () => lock.noteConversion(receipt)
  const converted = join(folder, 'converted.db')
  replaceLibrary({ path, folder, converted, kept, state, lockTimeout: OPENING_TIMEOUT, begin })
  return receipt
}

/** The path at which a library is kept as it was before a change. */
function keptName(path: string, change: string): string {
  return newCopyPath(dirname(path), path, `before-${change}`, new Date())
}
