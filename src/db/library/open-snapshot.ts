import { openReadOnly } from '../connections.ts'
import { Reader } from '../database.ts'

interface LibrarySnapshot extends Disposable {
  /** Sees the library as it was when the snapshot was opened, whatever is written meanwhile. */
  reader: Reader
}

/** Opens a separate read-only connection, so that the service is not blocked. */
export function openSnapshot(path: string): LibrarySnapshot {
  const db = openReadOnly(path)
  db.run('BEGIN')
  return { reader: new Reader(db, () => {}), [Symbol.dispose]: () => db.close() }
}
