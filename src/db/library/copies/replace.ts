import { chmodSync, constants, copyFileSync, existsSync, renameSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { LibraryRefused } from '../../library-refused.ts'
import { fileState, JOURNAL_SUFFIXES } from '../file-state.ts'
import { syncToDisk } from './copy.ts'
import { checkpointFile, deleteJournals } from './journals.ts'

interface Replacement {
  path: string
  folder: string
  /** One file without a journal, on the disk. */
  converted: string
  kept: string
  /** The state of the library, as `fileState` has it, when it was converted. */
  state: string
  lockTimeout: number
  /** Runs before the first file next to the library gets its name. */
  begin(): void
}

/**
 * Puts a converted library in the place of the original, which is kept next to it, byte for byte and with its journals. A kill at
 * any point leaves the complete original in its place or the converted one. Throws LibraryRefused when another program has
 * written to the library since it was converted, or has it open.
 */
export function replaceLibrary({
  path,
  folder,
  converted,
  kept,
  state,
  lockTimeout,
  begin,
}: Replacement): void {
  const present = JOURNAL_SUFFIXES.filter((suffix) => existsSync(path + suffix))
  const copies = present.map((suffix) => ({
    copy: join(folder, `original.db${suffix}`),
    target: `${kept}${suffix}`,
    suffix,
  }))
  for (const { copy, suffix } of copies) copyExactly(path + suffix, copy)
  assertSame(fileState(path), state)
  // To open the file may undo what a killed program left in a rollback journal. The copy has it as it was.
  const before = present.includes('-journal') ? null : contentState(path)
  checkpointFile(path, lockTimeout, () => assertSame(before ?? '', before === null ? '' : contentState(path)))
  begin()
  // The file itself comes last, so that a file of that name is always complete.
  for (const { copy, target } of copies.toReversed()) renameSync(copy, target)
  deleteJournals(path)
  chmodSync(converted, 0o600)
  renameSync(converted, path)
}

function copyExactly(file: string, copy: string): void {
  copyFileSync(file, copy, constants.COPYFILE_FICLONE)
  syncToDisk(copy)
  const { atime, mtime } = statSync(file)
  utimesSync(copy, atime, mtime)
}

/** The state of a library and its write-ahead journal, which is empty or missing once nothing is in it. */
function contentState(path: string): string {
  const stats = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false }))
  return stats.map((stat) => (stat?.size ? `${stat.mtimeMs} ${stat.size}` : '')).join()
}

function assertSame(state: string, other: string): void {
  if (state !== other) throw new LibraryRefused('Another program is writing to it. Close that program first.')
}
