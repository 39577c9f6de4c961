import { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync } from 'node:fs'
import { isLockedError, LibraryRefused } from '../library-refused.ts'

/**
 * Takes the lock file of a library, so that only one service uses it. The system releases the lock when the process ends,
 * for whatever reason. Throws LibraryRefused if another process holds it.
 */
export function acquireLock(path: string): Database {
  const file = `${path}.lock`
  // On a read-only file SQLite silently takes no lock.
  if (existsSync(file)) accessSync(file, constants.W_OK)
  const lock = new Database(file, { create: true, readwrite: true })
  try {
    lock.run('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (!isLockedError(error)) throw error
    throw new LibraryRefused(
      `Another Inglenook is using ${path}. Stop it first, or set APP_DB_PATH to a different file.`,
    )
  }
}

/** Whether another process holds the lock of a library. Neither takes the lock nor creates files. */
export function isLockHeld(path: string): boolean {
  if (!existsSync(`${path}.lock`)) return false
  using lock = new Database(`${path}.lock`, { readonly: true, create: false })
  try {
    lock.query('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch {
    return true
  }
}
