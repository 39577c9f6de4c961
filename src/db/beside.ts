import { Database } from 'bun:sqlite'
import { Reader } from './database.ts'

/** Milliseconds that it waits for another program. */
const PATIENCE = 5_000

/** A library seen from beside the service. */
export interface Beside extends Disposable {
  /** Shows one moment of the library, whatever is written meanwhile. */
  reader: Reader
}

/** Opens a connection of its own that only reads, so that the service goes on. */
export function openBeside(path: string): Beside {
  const db = new Database(path, { readonly: true, create: false, strict: true })
  db.run(`PRAGMA busy_timeout = ${PATIENCE}`)
  db.run('BEGIN')
  return { reader: new Reader(db, () => {}), [Symbol.dispose]: () => db.close() }
}
