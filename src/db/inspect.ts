import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { missingMigrations } from './bring-forward.ts'
import { Reader } from './database.ts'
import { judge, judgeColumns } from './earlier-release/judge.ts'
import { LibraryRefused } from './refused.ts'
import { type Remark, remarksOn } from './remarks.ts'

/** A library that is only looked at, while the service may be running on it. */
export interface Inspected extends Disposable {
  reader: Reader
  journal: string
  /** Whether SQLite finds the file whole. */
  isWhole: boolean
  remarks: Remark[]
}

/** Opens a library for reading alone. Throws LibraryRefused. */
export function inspectLibrary(path: string): Inspected {
  if (!existsSync(path)) throw new LibraryRefused(`There is no library at ${path}.`)
  const db = new Database(path, { readonly: true, create: false })
  try {
    db.run('PRAGMA busy_timeout = 5000')
    judge(db)
    if (missingMigrations(db).length > 0)
      throw new LibraryRefused('Inglenook has not opened this library yet. Start it once, then ask again.')
    judgeColumns(db)
    // One moment of the file, whatever the service does meanwhile.
    db.run('BEGIN')
    return {
      reader: new Reader(db, () => {}),
      journal: db.query<{ journal_mode: string }, []>('PRAGMA journal_mode').get()?.journal_mode ?? '',
      isWhole: db.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()?.quick_check === 'ok',
      remarks: remarksOn(db),
      [Symbol.dispose]: () => db.close(),
    }
  } catch (error) {
    db.close()
    throw error
  }
}
