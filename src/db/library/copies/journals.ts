import { Database } from 'bun:sqlite'
import { rmSync } from 'node:fs'
import { exclusively } from '../../connections.ts'
import { isLockedError, LibraryRefused } from '../../library-refused.ts'

/** A different library must not find them. */
const JOURNALS = ['-wal', '-shm', '-journal']

export function deleteJournals(path: string): void {
  for (const suffix of JOURNALS) rmSync(path + suffix, { force: true })
}

/**
 * Moves the content of the journals into a library, while no other program has it open; `check` runs before. A library that is
 * too damaged for this is left as it is. Throws LibraryRefused while another program reads or writes it.
 */
export function checkpointFile(path: string, lockTimeout: number, check = () => {}): void {
  try {
    using db = new Database(path, { readwrite: true, create: false })
    db.run(`PRAGMA busy_timeout = ${lockTimeout}`)
    exclusively(db, () => db.transaction(check).exclusive())
    db.query('PRAGMA wal_checkpoint(TRUNCATE)').get()
  } catch (error) {
    if (error instanceof LibraryRefused || isLockedError(error)) throw error
  }
}
