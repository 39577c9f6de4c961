import { constants, Database } from 'bun:sqlite'

/** A number that changes when another connection has written. */
export function dataVersionOf(db: Database): number {
  return db.query<{ data_version: number }, []>('PRAGMA data_version').get()?.data_version ?? 0
}

/** Milliseconds that the running service waits for another program's lock. */
export const SERVING_TIMEOUT = 100
/** The same for our worker, which holds the lock for some milliseconds, or longer on a very busy machine. */
export const SHARING_TIMEOUT = 30_000

// A turn runs some 60 statements. The default cache has 20, so each would be prepared again at every turn.
Database.MAX_QUERY_CACHE_SIZE = 400

export const WRITE_PRAGMAS = ['synchronous = FULL', 'foreign_keys = ON', 'trusted_schema = OFF'] as const

/** Opens a connection in WAL mode. `timeout` is how many milliseconds it waits for another program's lock. */
export function connect(path: string, timeout: number): Database {
  return connectWith(path, timeout, ['journal_mode = WAL', ...WRITE_PRAGMAS])
}

/** The same, but keeps the journal mode of the file, so that opening it does not change a byte. */
export function connectInCurrentMode(path: string, timeout: number): Database {
  return connectWith(path, timeout, WRITE_PRAGMAS)
}

/** Does not wait for the disk. A power failure can only lose hidden rows and parts of the search index. */
export function connectForWorker(path: string, timeout: number): Database {
  return connectWith(path, timeout, [...WRITE_PRAGMAS, 'synchronous = NORMAL'])
}

// The timeout comes first: the other pragmas may have to wait for a lock.
function connectWith(path: string, timeout: number, pragmas: readonly string[]): Database {
  const db = new Database(path, { create: false, readwrite: true, strict: true })
  try {
    db.run(`PRAGMA busy_timeout = ${timeout}`)
    // The SQLite of macOS would keep the journal after the last connection is closed.
    db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 0)
    for (const pragma of pragmas) db.run(`PRAGMA ${pragma}`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Opens a connection that needs no room on the disk, because it is the only one: the index of its journal is in memory. */
export function connectAlone(path: string): Database {
  return connectWith(path, 0, ['locking_mode = EXCLUSIVE', ...WRITE_PRAGMAS])
}

/** Opens a second connection to a library that a service has open, which only reads. */
export function openReadOnly(path: string): Database {
  const db = new Database(path, { readonly: true, create: false, strict: true })
  db.run('PRAGMA busy_timeout = 5000')
  return db
}

/** Opens a file that nobody is using, read-only. Neither creates nor reads journal files. */
export function openImmutable(path: string): Database {
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI
  return new Database(`${Bun.pathToFileURL(path)}?immutable=1`, flags)
}

/**
 * Runs `work`, one exclusive transaction, while no other program has the file open, under whatever name. In WAL mode every
 * connection holds a lock on the file itself, which such a transaction alone does not notice. Throws SQLITE_BUSY after the
 * timeout of the connection.
 */
export function exclusively<T>(db: Database, work: () => T): T {
  const mode = db.query<{ journal_mode: string }, []>('PRAGMA journal_mode').get()?.journal_mode
  // SQLite changes the mode with the next access. Without one before, it would never change back.
  access(db)
  if (mode === 'wal') db.run('PRAGMA locking_mode = EXCLUSIVE')
  try {
    return work()
  } finally {
    db.run('PRAGMA locking_mode = NORMAL')
    access(db)
  }
}

function access(db: Database): void {
  db.query('SELECT count(*) FROM sqlite_schema').get()
}
