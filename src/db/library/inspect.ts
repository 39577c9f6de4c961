import { Database } from 'bun:sqlite'
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { type DoctorFinding, unlessDamaged } from '../checks/check.ts'
import { listFindings, nonStrictJson } from '../checks/library-checks.ts'
import { openImmutable } from '../connections.ts'
import { Reader } from '../database.ts'
import { hasColumn } from '../declared-columns.ts'
import { isTreeLibrary } from '../earlier-release/tree-schema.ts'
import { assertKnownLibrary, assertWritableLibrary, versionOf } from '../earlier-release/validate.ts'
import { LibraryRefused, refusingWithReason } from '../library-refused.ts'
import { listHidden } from '../stories/hidden.ts'
import { assertDeclared, assertHarmless } from './declarations.ts'
import { isLockHeld } from './lock.ts'
import { appliedMigrations, BASE_VERSION } from './migrate.ts'
import { libraryPath } from './real-path.ts'
import { missingMigrations } from './upgrade.ts'

export type { DoctorFinding }

/** A library opened read-only by the doctor, possibly while the service is running. */
export interface Inspected extends Disposable {
  reader: Reader
  /** True while a service has the library open. */
  isRunning: boolean
  file: FileFacts
  /** Migrations that will run when Inglenook next opens the file. */
  missing: string[]
  findings: DoctorFinding[]
  nonStrict: string[]
  stories: number[]
  /** Throws LibraryRefused if a service was started in the meantime: the results may be inconsistent. */
  assertUnchanged(): void
}

/** Sizes in bytes. */
interface FileFacts {
  sqlite: string
  version: number
  journal: 'wal' | 'delete'
  size: number
  walSize: number
  freeSize: number
}

/** Opens a library read-only and checks it, without creating any file. Throws LibraryRefused. */
export function inspectLibrary(given: string): Inspected {
  if (!existsSync(given)) throw new LibraryRefused(`There is no library at ${given}.`)
  return refusingWithReason(`${given} cannot be checked.`, () => {
    const path = libraryPath(given)
    if (statSync(path).size === 0) throw new LibraryRefused('It is empty.')
    const isRunning = isLockHeld(path)
    const journal = journalOf(path)
    const connection = connectReadOnly(path, isRunning)
    try {
      return inspect(path, { ...connection, isRunning, journal })
    } catch (error) {
      connection.db.close()
      throw error
    }
  })
}

interface Connection {
  db: Database
  /** Opened as immutable, because nothing else was using the file. */
  isImmutable: boolean
}

function inspect(
  path: string,
  {
    db,
    isImmutable,
    isRunning,
    journal,
  }: Connection & Pick<Inspected, 'isRunning'> & Pick<FileFacts, 'journal'>,
): Inspected {
  db.run('PRAGMA busy_timeout = 5000')
  assertHarmless(db)
  assertKnownLibrary(db)
  if (versionOf(db) < BASE_VERSION || isTreeLibrary(db))
    throw new LibraryRefused(
      'Inglenook has not upgraded this library yet. Start Inglenook once, then run the doctor again.',
    )
  // A transaction, so that all queries see the same state while the service writes.
  db.run('BEGIN')
  const reader = new Reader(db, () => {})
  // An older library does not have the column yet.
  const unfinished = new Set(hasColumn(db, 'adventures', 'importing') ? listHidden(reader).adventures : [])
  const ids = unlessDamaged([], () => reader.column<number>('SELECT id FROM adventures ORDER BY id'))
  return {
    reader,
    isRunning,
    file: { journal, ...factsOf(path, reader) },
    missing: missingMigrations(db),
    findings: [...findRefusal(db), ...listFindings(reader, appliedMigrations(db))],
    nonStrict: unlessDamaged([], () => nonStrictJson(reader)),
    stories: ids.filter((id) => !unfinished.has(id)),
    assertUnchanged: () => {
      if (isImmutable && existsSync(`${path}-shm`))
        throw new LibraryRefused('Inglenook was started in the meantime. Run the doctor again.')
    },
    [Symbol.dispose]: () => db.close(),
  }
}

function findRefusal(db: Database): DoctorFinding[] {
  try {
    assertWritableLibrary(db)
    assertDeclared(db)
    return []
  } catch (error) {
    // Damage is found by the check of the file.
    if (!(error instanceof LibraryRefused)) return []
    const [what = '', ...advice] = error.message.split(/\.(?: |$)/)
    return [{ check: 'tables', what, advice: advice.join('. ').trim() }]
  }
}

/** A connection that creates no files: a shared read-only one would create journals that it cannot delete again. */
function connectReadOnly(path: string, isRunning: boolean): Connection {
  if (isRunning || existsSync(`${path}-shm`))
    return { db: new Database(path, { readonly: true, create: false }), isImmutable: false }
  const journal = ['-wal', '-journal'].find((suffix) => sizeOf(path + suffix) > 0)
  if (journal)
    throw new LibraryRefused(
      `${path}${journal} holds the last changes of a program that was killed. Start Inglenook once, then run the doctor again.`,
    )
  return { db: openImmutable(path), isImmutable: true }
}

function factsOf(path: string, reader: Reader): Omit<FileFacts, 'journal'> {
  const number = (sql: string) => reader.value<number>(sql) ?? 0
  const pageSize = number('PRAGMA page_size')
  return {
    sqlite: reader.value<string>('SELECT sqlite_version()') ?? '',
    version: number('PRAGMA user_version'),
    size: sizeOf(path),
    walSize: sizeOf(`${path}-wal`),
    freeSize: number('PRAGMA freelist_count') * pageSize,
  }
}

// Byte 18 of the header, because SQLite reports another mode for an immutable file. Must be read before the database is
// opened: closing any handle of a file releases all locks that the process holds on it.
function journalOf(path: string): FileFacts['journal'] {
  const header = new Uint8Array(19)
  const file = openSync(path, 'r')
  readSync(file, header)
  closeSync(file)
  return header[18] === 2 ? 'wal' : 'delete'
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0
}
