import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { LibraryRefused } from './refused.ts'

/**
 * Takes the side lock of a library: one service for one file. The system frees it when the process ends, however it
 * ends. Throws LibraryRefused when another process holds it.
 */
export function takeLock(path: string): Database {
  const lock = new Database(`${path}.lock`, { create: true, readwrite: true })
  try {
    lock.run('BEGIN EXCLUSIVE')
    return lock
  } catch {
    lock.close()
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
