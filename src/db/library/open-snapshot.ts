import { Database } from 'bun:sqlite'
import { Reader } from '../database.ts'

/** Milliseconds to wait for another program's lock. */
const LOCK_TIMEOUT = 5_000

/** A read-only connection to a library, next to the one of the service. */
interface LibrarySnapshot extends Disposable {
  /** Sees the library as it was when the snapshot was opened, whatever is written meanwhile. */
  reader: Reader
}

/** Opens a separate read-only connection, so that the service is not blocked. */
export function openSnapshot(path: string): LibrarySnapshot {
  const db = new Database(path, { readonly: true, create: false, strict: true })
  db.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT}`)
  db.run('BEGIN')
  return { reader: new Reader(db, () => {}), [Symbol.dispose]: () => db.close() }
}
