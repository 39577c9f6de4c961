import { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StoryError } from '../../domain/errors.ts'
import type { StarterScenario } from '../../domain/scenario.ts'
import { commandLine } from '../../lib/project.ts'
import {
  connect,
  connectAlone,
  connectForWorker,
  connectInCurrentMode,
  dataVersionOf,
  exclusively,
  SERVING_TIMEOUT,
} from '../connections.ts'
import type { QueryWatch, Reader } from '../database.ts'
import { Library } from '../library.ts'
import { isRoomError, LibraryRefused, refusingWithReason } from '../library-refused.ts'
import { hasHidden } from '../stories/hidden.ts'
import { newCopyPath } from './copies/names.ts'
import { replaceLibrary } from './copies/replace.ts'
import { clearUnfinished, trialFolder } from './copies/unfinished.ts'
import { type FileNumber, fileState, isInState, OpenFile, stateOf } from './file-state.ts'
import { acquireLock, type LibraryLock } from './lock.ts'
import { allMigrations, BASE_VERSION, migrate } from './migrate.ts'
import { libraryPath } from './real-path.ts'
import { repair } from './repair.ts'
import { seed } from './seed.ts'
import { assertCurrent, tryLibrary } from './trial-copy.ts'
import { upgrade } from './upgrade.ts'

/** Milliseconds to wait for another program's lock while the library is opened. */
const OPENING_TIMEOUT = 5_000

export interface OpenOptions {
  starters?: readonly StarterScenario[]
  watch?: QueryWatch
  fileNumber?: FileNumber
}

/**
 * Opens the library at a path, or creates one if nothing is there. A file that is as a service has left it is opened in place;
 * any other is first checked on a copy, and a copy of it is kept before it is changed. Throws LibraryRefused.
 */
export function openLibrary(given: string, options: OpenOptions = {}): Library {
  const outcome = `${given} was not opened.`
  const [path, lock] = refusingWithReason(outcome, () => {
    const path = libraryPath(given)
    mkdirSync(dirname(path), { recursive: true })
    return [path, acquireLock(path)]
  })
  try {
    return refusingWithReason(outcome, () => {
      clearUnfinished(path)
      if (!existsSync(path)) {
        createLibrary(path, options.starters ?? [])
        return openToWrite(path, lock, options, 'new')
      }
      for (const one of [path, dirname(path)]) accessSync(one, constants.R_OK | constants.W_OK)
      const isAsLeft = isInState(path, lock.leftState)
      try {
        return openToWrite(path, lock, options, isAsLeft ? 'as left' : 'unknown')
      } catch (error) {
        const library = isRoomError(error) ? openToRead(path, lock, options) : null
        if (library === null) throw error
        return library
      }
    })
  } catch (error) {
    lock.close()
    throw error
  }
}

type FileOrigin = 'new' | 'as left' | 'unknown'

function openToWrite(path: string, lock: LibraryLock, options: OpenOptions, origin: FileOrigin): Library {
  const converted = origin === 'unknown' ? checkFile(path, lock) : ''
  const db = connect(path, OPENING_TIMEOUT)
  try {
    const isUnchecked = origin === 'as left'
    const repairIfNeeded = () => {
      if (isUnchecked) assertUnchanged(path, lock.leftState)
      return { unindexed: isUnchecked ? 0 : repair(db), dataVersion: dataVersionOf(db) }
    }
    const found = exclusively(db, () => db.transaction(repairIfNeeded).exclusive())
    db.run(`PRAGMA busy_timeout = ${SERVING_TIMEOUT}`)
    const opened = { lock, isUnchecked, isComplete, conversion: converted || lock.conversion, ...found }
    return new Library(path, db, new OpenFile(path, options.fileNumber), options.watch ?? (() => {}), opened)
  } catch (error) {
    db.close()
    throw error
  }
}

const isComplete = (reader: Reader) => !hasHidden(reader)

// Between the comparison and our lock on the file.
function assertUnchanged(path: string, state: string): void {
  const journal = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (stateOf(path) !== state || (journal?.size ?? 0) > 0) throw new LibraryRefused(IN_USE)
}

/**
 * Opens an intact library of our newest version where the disk has no room for a copy or a journal. Null for any other, and for
 * one with a journal that would have to be rolled back.
 */
function openToRead(path: string, lock: LibraryLock, options: OpenOptions): Library | null {
  if (existsSync(`${path}-journal`)) return null
  const db = connectAlone(path)
  try {
    assertCurrent(db)
    const opened = { lock, isUnchecked: false, isComplete, conversion: '', unindexed: 0, dataVersion: 0 }
    const problem = new StoryError('storage_full', NO_ROOM)
    return new Library(path, db, new OpenFile(path), options.watch ?? (() => {}), opened, problem)
  } catch {
    db.close()
    return null
  }
}

const NO_ROOM =
  'The disk was full when Inglenook was started, so your library can be read and not changed. Free some space, then start Inglenook again.'

/** Bytes of a library that opens, checks included, without a progress message. */
const SMALL = 16_000_000

/** True if the library is checked before it opens, which takes long. Throws LibraryRefused. */
export function isLongCheckDue(given: string): boolean {
  const path = libraryPath(given)
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= SMALL) return false
  using lock = acquireLock(path)
  return !isInState(path, lock.leftState)
}

/** A second connection to a library that this service has open, for a worker that writes. */
export function openSecondConnection(path: string): Library {
  return new Library(path, connectForWorker(path, OPENING_TIMEOUT), new OpenFile(path), () => {}, null)
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
 * what it was converted to. Returns what was converted, for the player; '' for nothing. Throws LibraryRefused.
 */
function checkFile(path: string, lock: LibraryLock): string {
  const folder = trialFolder(path)
  mkdirSync(folder, { mode: 0o700 })
  try {
    const state = fileState(path)
    const trial = { file: path, folder, advice: ADVICE, keep: 'before an upgrade' } as const
    const { missing, converted } = tryLibrary(trial)
    if (converted) return replaceByConverted({ path, folder, state, converted }, lock)
    // The earlier release does not take our lock. If it wrote during the copy, the copy may be inconsistent or outdated.
    if (fileState(path) !== state) throw new LibraryRefused(IN_USE)
    const [first] = missing
    if (first === undefined) return ''
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
  state: string
  converted: string
}

function replaceByConverted({ path, folder, state, converted }: Converted, lock: LibraryLock): string {
  const kept = keptName(path, 'branches')
  const receipt = `This library of the earlier release was converted: ${converted}. Its past prompts and the state of scripts were left out. The original is kept next to it, unchanged, as ${basename(kept)}. To go back to the earlier release, stop Inglenook and restore the original: ${commandLine(`restore "${kept}"`)}`
  replaceLibrary({
    path,
    folder,
    converted: join(folder, 'converted.db'),
    kept,
    state,
    lockTimeout: OPENING_TIMEOUT,
    begin: () => lock.noteConversion(receipt),
  })
  return receipt
}

function keptName(path: string, change: string): string {
  return newCopyPath(dirname(path), path, `before-${change}`, new Date())
}
