import { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync } from 'node:fs'
import { isHeld } from '../database.ts'
import { LibraryRefused } from '../refused.ts'

/**
 * Takes the side lock of a library: one service for one file. The system frees it when the process ends, however it
 * ends. Throws LibraryRefused when another process holds it.
 */
export function takeLock(path: string): Database {
  const file = `${path}.lock`
  // Of a file that may only be read SQLite takes no lock, and says nothing.
  if (existsSync(file)) accessSync(file, constants.W_OK)
  const lock = new Database(file, { create: true, readwrite: true })
  try {
    lock.run('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (!isHeld(error)) throw error
    throw new LibraryRefused(
      `Another Inglenook is using ${path}. Stop it first, or give this one its own APP_DB_PATH.`,
    )
  }
}

/** Whether another process holds the side lock of a library. Takes nothing, and leaves nothing behind. */
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
