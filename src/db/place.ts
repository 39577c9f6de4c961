import { lstatSync, realpathSync } from 'node:fs'
import { LibraryRefused } from './refused.ts'

/**
 * Where a library really lies: SQLite keeps its journals beside the file, not beside a link to it. A path at which
 * nothing is stays as it is. Throws LibraryRefused for a link that leads nowhere: what it stood for may come back.
 */
export function placeOf(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path
  try {
    return realpathSync(path)
  } catch {
    throw new LibraryRefused(
      'It is a link, and nothing is where it leads. Put the file back, or remove the link.',
    )
  }
}
