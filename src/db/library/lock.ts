import { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync } from 'node:fs'
import { isLockedError, LibraryRefused, sqliteCode } from '../library-refused.ts'

/** The lock file of a library while this process holds it: a database with the state in which the library was left. */
export class LibraryLock implements Disposable {
  constructor(private readonly db: Database) {}

  /** What the last service noted when it closed the library; '' for nothing. */
  get leftState(): string {
    try {
      return this.db.query<{ state: string }, []>('SELECT state FROM left_state').get()?.state ?? ''
    } catch {
      return ''
    }
  }

  /** Notes the state in which the library is left, and frees the lock. */
  closeWith(state: string): void {
    try {
      this.db.run('CREATE TABLE IF NOT EXISTS left_state (state TEXT NOT NULL)')
      this.db.run('DELETE FROM left_state')
      this.db.query('INSERT INTO left_state VALUES (?)').run(state)
      this.db.run('COMMIT')
    } catch {
      // The disk is full, perhaps. Without a note the next start checks the library.
    }
    this.close()
  }

  close(): void {
    this.db.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

/**
 * Takes the lock file of a library, so that only one service uses it. The system releases the lock when the process ends,
 * for whatever reason. Throws LibraryRefused if another process holds it.
 */
export function acquireLock(path: string): LibraryLock {
  const file = `${path}.lock`
  // On a read-only file SQLite silently takes no lock.
  if (existsSync(file)) accessSync(file, constants.W_OK)
  const lock = new Database(file, { create: true, readwrite: true })
  try {
    lock.run('BEGIN EXCLUSIVE')
    return new LibraryLock(lock)
  } catch (error) {
    lock.close()
    if (/CORRUPT|NOTADB/.test(sqliteCode(error)))
      throw new LibraryRefused(
        `Its lock file ${file} is damaged. Delete that file; it holds nothing of your stories.`,
      )
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
