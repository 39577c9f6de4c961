import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { missingMigrations } from './bring-forward.ts'
import { columnsOf, Reader } from './database.ts'
import { judge, judgeColumns } from './earlier-release/judge.ts'
import { LibraryRefused } from './refused.ts'

/** A library that is only looked at, while the service may be running on it. */
export interface Inspected extends Disposable {
  reader: Reader
  journal: string
  /** Whether SQLite finds the file whole. */
  isWhole: boolean
  /** JSON that is not strict: it is read tolerantly, and other programs may stumble over it. */
  lax: { table: string; column: string; rows: number }[]
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
      lax: laxColumns(db),
      [Symbol.dispose]: () => db.close(),
    }
  } catch (error) {
    db.close()
    throw error
  }
}

const JSON_COLUMNS = {
  scenarios: ['stat_schema'],
  adventures: ['world_state', 'stat_schema', 'placeholders'],
  actions: ['world_state_before', 'world_delta', 'variants'],
}

function laxColumns(db: Database): Inspected['lax'] {
  return Object.entries(JSON_COLUMNS).flatMap(([table, columns]) => {
    const present = columnsOf(db, table).map(({ name }) => name)
    return columns
      .filter((column) => present.includes(column))
      .map((column) => {
        const sql = `SELECT count(*) AS rows FROM ${table} WHERE ${column} IS NOT NULL AND NOT json_valid(${column})`
        return { table, column, rows: db.query<{ rows: number }, []>(sql).get()?.rows ?? 0 }
      })
      .filter(({ rows }) => rows > 0)
  })
}
