import type { Database } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'
import { hashOf } from '../../lib/hash.ts'
import { allMigrations } from './migrate.ts'

/** Suffixes of a library and the journals that a killed program may have left next to it. */
export const JOURNAL_SUFFIXES = ['', '-wal', '-journal']

/** Modification times and sizes of a file and its journals, to detect writes. */
export function fileState(file: string): string {
  const stats = JOURNAL_SUFFIXES.map((suffix) => statSync(file + suffix, { throwIfNoEntry: false }))
  return stats.map((stat) => (stat ? `${stat.mtimeMs} ${stat.size}` : '')).join()
}

/** Raise it when a start checks or repairs something that it did not before. */
const CHECKS = 1

/**
 * Identifies a library file with its content, and what this program checks at a start; '' when it is gone. Does not open the file: closing it
 * again would release the locks that SQLite holds for this process. Any write changes the time of the last change (ctime).
 */
export function stateOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (stat === undefined) return ''
  const { dev, ino, size, mtimeNs, ctimeNs } = stat
  return [dev, ino, size, mtimeNs, ctimeNs, CHECKS, ...allMigrations()].join(' ')
}

/** Identifies a library file with all that it declares, but not its rows, and what this program checks. */
export function identityOf(path: string, db: Database): string {
  const declared = db
    .query('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name, type')
    .values()
  return `${fileOf(path)} ${hashOf(JSON.stringify(declared))}`
}

/** The part of an identity that is known without opening the file. */
export function fileOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return [dev, ino, CHECKS, ...allMigrations()].join(' ')
}

/** Whether a library is still in that state, with nothing in a journal. */
export function isInState(path: string, state: string): boolean {
  if (state === '') return false
  return (
    JOURNAL_SUFFIXES.every((suffix) => suffix === '' || !existsSync(path + suffix)) && stateOf(path) === state
  )
}
