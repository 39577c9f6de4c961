import { risingClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { restoreLibrary } from '../db/library/restore.ts'
import { LibraryRefused } from '../db/library-refused.ts'
import { printLine } from '../lib/print.ts'
import { callerPath, commandLine } from '../lib/project.ts'

/** Puts a backup in the place of the library. Throws LibraryRefused. */
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
