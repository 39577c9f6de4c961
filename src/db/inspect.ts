import { Database } from 'bun:sqlite'
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { missingMigrations } from './bring-forward.ts'
import { listFindings } from './checks/all.ts'
import { laxCells } from './checks/cells.ts'
import { type Finding, unlessDamaged } from './checks/check.ts'
import { Reader } from './database.ts'
import { recognise, versionOf } from './earlier-release/validate.ts'
import { isLockHeld } from './library/lock.ts'
import { BASE_VERSION, takenMigrations } from './library/migrate.ts'
import { openQuietly } from './library/open-immutable.ts'
import { LibraryRefused, refuseInWords } from './refused.ts'
import { listTotals, type Totals } from './stories/totals.ts'

export type { Finding }

/** A library that is only looked at, while the service may be running on it. */
export interface Inspected extends Disposable {
  reader: Reader
  /** Whether a service holds the library. */
  isRunning: boolean
  file: FileFacts
  /** Steps that Inglenook takes when it opens the file next. */
  missing: string[]
  /** Everything that is not as it should be. */
  findings: Finding[]
  /** JSON that is not strict: it is read tolerantly, and other programs may stumble over it. */
  lax: string[]
  /** How much there is of each story. */
  totals: Totals[]
  /** Throws LibraryRefused when a service was started since: what was read may be of two moments. */
  checkStill(): void
}

/** What a file is, as numbers; sizes in bytes. */
export interface FileFacts {
  sqlite: string
  version: number
  journal: 'wal' | 'delete'
  size: number
  walSize: number
  freeSize: number
  /** What the largest tables take with their indexes. */
  tables: { name: string; size: number }[]
}

/** Opens a library for reading alone, and leaves nothing beside it either. Throws LibraryRefused. */
export function inspectLibrary(path: string): Inspected {
  if (!existsSync(path)) throw new LibraryRefused(`There is no library at ${path}.`)
  return refuseInWords(`${path} cannot be looked at.`, () => {
    if (statSync(path).size === 0) throw new LibraryRefused('It is empty.')
    const isRunning = isLockHeld(path)
    const journal = journalOf(path)
    const { db, isQuiet } = connectQuietly(path, isRunning)
    try {
      db.run('PRAGMA busy_timeout = 5000')
      recognise(db)
      if (versionOf(db) < BASE_VERSION)
        throw new LibraryRefused('Inglenook has not opened this library yet. Start it once, then ask again.')
      // One moment of the file, whatever the service does meanwhile.
      db.run('BEGIN')
      const reader = new Reader(db, () => {})
      const taken = takenMigrations(db)
      return {
        reader,
        isRunning,
        file: { journal, ...factsOf(path, reader) },
        missing: missingMigrations(db),
        findings: listFindings(reader, taken),
        lax: unlessDamaged([], () => laxCells(reader)),
        totals: unlessDamaged([], () => listTotals(reader)),
        checkStill: () => {
          if (isQuiet && existsSync(`${path}-shm`))
            throw new LibraryRefused('Inglenook was started meanwhile. Ask again.')
        },
        [Symbol.dispose]: () => db.close(),
      }
    } catch (error) {
      db.close()
      throw error
    }
  })
}

/** A connection that makes no files: one that may share a journal makes them, and cannot take them away again. */
function connectQuietly(path: string, isRunning: boolean): { db: Database; isQuiet: boolean } {
  if (isRunning || existsSync(`${path}-shm`))
    return { db: new Database(path, { readonly: true, create: false }), isQuiet: false }
  const left = ['-wal', '-journal'].find((suffix) => sizeOf(path + suffix) > 0)
  if (left)
    throw new LibraryRefused(
      `What a killed program wrote last is still in ${path}${left}. Start Inglenook once, then ask again.`,
    )
  return { db: openQuietly(path), isQuiet: true }
}

function factsOf(path: string, reader: Reader): Omit<FileFacts, 'journal'> {
  const number = (sql: string) => Object.values(reader.get<Record<string, number>>(sql) ?? {})[0] ?? 0
  const page = number('PRAGMA page_size')
  return {
    sqlite: reader.get<{ version: string }>('SELECT sqlite_version() AS version')?.version ?? '',
    version: number('PRAGMA user_version'),
    size: sizeOf(path),
    walSize: sizeOf(`${path}-wal`),
    freeSize: number('PRAGMA freelist_count') * page,
    tables: sizesOf(reader),
  }
}

// Byte 18 of the header: SQLite itself says otherwise of a file that it may not touch. Read before it is opened, because
// to close a file frees the locks of the whole process.
function journalOf(path: string): FileFacts['journal'] {
  const header = new Uint8Array(19)
  const file = openSync(path, 'r')
  readSync(file, header)
  closeSync(file)
  return header[18] === 2 ? 'wal' : 'delete'
}

function sizesOf(reader: Reader): FileFacts['tables'] {
  return unlessDamaged([], () =>
    reader.all<{ name: string; size: number }>(
      `SELECT coalesce(s.tbl_name, d.name) AS name, sum(d.pgsize) AS size
         FROM dbstat d LEFT JOIN sqlite_schema s ON s.name = d.name GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 6`,
    ),
  )
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0
}
