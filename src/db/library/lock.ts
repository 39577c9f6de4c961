import { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync } from 'node:fs'
import { isLockedError, LibraryRefused, sqliteCode } from '../library-refused.ts'

type Note = 'left_state' | 'conversion'

/** The lock file of a library while this process holds it: a database with notes about the library. */
export class LibraryLock implements Disposable {
  /** Takes the lock. Throws LibraryRefused if another process holds it. */
  constructor(
    private readonly path: string,
    private readonly db: Database,
  ) {
    this.take()
    this.conversion = this.noted('conversion')
  }

  /** Receipt of a conversion before this lock was taken, for the player; '' for nothing. */
  readonly conversion: string

  /** Note of the last service when it closed the library; '' for none. */
  get leftState(): string {
    return this.noted('left_state')
  }

  /** For the player of the next service. Throws LibraryRefused if another process takes the lock. */
  noteConversion(receipt: string): void {
    this.note({ conversion: receipt })
    this.take()
  }

  closeWith(state: string): void {
    this.note({ left_state: state, ...(this.conversion === '' ? {} : { conversion: '' }) })
    this.close()
  }

  private take(): void {
    try {
      this.db.run('BEGIN EXCLUSIVE')
    } catch (error) {
      if (!isLockedError(error)) throw error
      throw new LibraryRefused(
        `Another Inglenook is using ${this.path}. Stop it first, or set APP_DB_PATH to a different file.`,
      )
    }
  }

  private noted(table: Note): string {
    try {
      return this.db.query<{ state: string }, []>(`SELECT state FROM ${table}`).get()?.state ?? ''
    } catch {
      return ''
    }
  }

  // Ends the transaction that holds the lock.
  private note(notes: Partial<Record<Note, string>>): void {
    try {
      for (const [table, state] of Object.entries(notes)) {
        this.db.run(`CREATE TABLE IF NOT EXISTS ${table} (state TEXT NOT NULL)`)
        this.db.run(`DELETE FROM ${table}`)
        this.db.query(`INSERT INTO ${table} VALUES (?)`).run(state)
      }
      this.db.run('COMMIT')
    } catch {
      // The disk is full, perhaps. Without a note the next start checks the library.
      if (this.db.inTransaction) this.db.run('ROLLBACK')
    }
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
  const db = new Database(file, { create: true, readwrite: true })
  try {
    return new LibraryLock(path, db)
  } catch (error) {
    db.close()
    if (!/CORRUPT|NOTADB/.test(sqliteCode(error))) throw error
    throw new LibraryRefused(
      `Its lock file ${file} is damaged. Delete that file; it contains nothing of your stories.`,
    )
  }
}

/** Neither takes the lock nor creates files. */
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
