import { existsSync, statSync } from 'node:fs'
import { allMigrations } from './migrate.ts'

/** Suffixes of a library and the journals that a killed program may have left next to it. */
export const JOURNAL_SUFFIXES = ['', '-wal', '-journal']

export function fileState(file: string): string {
  const stats = JOURNAL_SUFFIXES.map((suffix) => statSync(file + suffix, { throwIfNoEntry: false }))
  return stats.map((stat) => (stat ? `${stat.mtimeMs} ${stat.size}` : '')).join()
}

/** Raise it when a start checks or repairs something that it did not before. */
const CHECKS = 2

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

/** True if a library is in that state, with nothing in a journal. */
export function isInState(path: string, state: string): boolean {
  if (state === '') return false
  return (
    JOURNAL_SUFFIXES.every((suffix) => suffix === '' || !existsSync(path + suffix)) && stateOf(path) === state
  )
}

/** A number for the file at a path, device included; '' if nothing is there. */
export type FileNumber = (path: string) => string

const numberOf: FileNumber = (path) => {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.dev} ${stat.ino}`
}

/** Notices when the path of an open file leads to another file, or to none. */
export class OpenFile {
  private readonly number: string
  /** False on file systems that give a file another number at each look: there nothing is noticed. */
  private readonly isWatched: boolean

  constructor(
    private readonly path: string,
    private readonly look = numberOf,
  ) {
    this.number = look(path)
    this.isWatched = look(path) === this.number
  }

  isInPlace(): boolean {
    return !this.isWatched || this.look(this.path) === this.number
  }
}
