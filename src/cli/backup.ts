import { existsSync } from 'node:fs'
import { risingClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { copyLibrary } from '../db/library/copies/copy.ts'
import { copiesFolder, newCopyPath } from '../db/library/copies/names.ts'
import { libraryPath } from '../db/library/real-path.ts'
import { restoreLibrary } from '../db/library/restore.ts'
import { LibraryRefused, refusingWithReason } from '../db/library-refused.ts'
import { printLine } from '../lib/print.ts'
import { callerPath, commandLine } from '../lib/project.ts'

/** Copies the library, even in use. Returns the path of the copy. Throws LibraryRefused. */
function backUpTo(path: string, target: string | undefined): string {
  const copy = target ?? newCopyPath(copiesFolder(path), path, 'copy', risingClock()())
  return refusingWithReason('No backup was made.', () => {
    if (!existsSync(path)) throw new LibraryRefused(`There is no library at ${path}.`)
    libraryPath(path)
    if (existsSync(copy)) throw new LibraryRefused(`${copy} already exists. Choose another name.`)
    copyLibrary(path, copy)
    return copy
  })
}

/** Copies the library to a new file, by default among the backups. Throws LibraryRefused. */
export function backup([target]: readonly string[]): void {
  printLine(`Backup saved to ${backUpTo(readConfig(process.env).dbPath, target && callerPath(target))}`)
}

/** Replaces the library with a backup. Throws LibraryRefused. */
export function restore([copy]: readonly string[]): void {
  if (copy === undefined)
    throw new LibraryRefused(
      `Name the backup to restore: ${commandLine('restore data/backups/inglenook.2026-03-01.db')}`,
    )
  const path = readConfig(process.env).dbPath
  const oldLibrary = restoreLibrary(path, callerPath(copy), risingClock()())
  printLine(`Restored ${path} from ${callerPath(copy)}.`)
  if (oldLibrary !== null) printLine(`The previous library was kept as ${oldLibrary}`)
}
