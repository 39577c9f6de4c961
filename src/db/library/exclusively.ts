import type { Database } from 'bun:sqlite'

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
