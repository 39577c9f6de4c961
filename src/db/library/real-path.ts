import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { LibraryRefused } from '../library-refused.ts'

/**
 * Resolves a symbolic link to a library: SQLite keeps its journals next to the file, not next to the link. Returns the
 * path itself if nothing exists there. Throws LibraryRefused for a broken link, because its target may come back.
 */
export function realPath(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path
  try {
    return realpathSync(path)
  } catch {
    throw new LibraryRefused('It is a broken symbolic link. Restore its target, or remove the link.')
  }
}

/**
 * The same for the library itself. Throws LibraryRefused also for a file that has another name: SQLite names the journals
 * after the file, so programs that open it under different names do not see each other's changes.
 */
export function libraryPath(given: string): string {
  const path = realPath(given)
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile()) return path
  if (stat.nlink > 1)
    throw new LibraryRefused(
      `The file has ${stat.nlink} names (hard links), and changes made under one of them would be lost under another. Delete all but one of them, or copy the file and set APP_DB_PATH to the copy.`,
    )
  if (mountPoints().includes(realpathSync(path)))
    throw new LibraryRefused(
      'The file itself is mounted, so it has another name elsewhere, and changes made there would be lost here. Mount its folder instead.',
    )
  return path
}

function mountPoints(): string[] {
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
    return lines.map((line) => unescaped(line.split(' ')[4] ?? ''))
  } catch {
    return []
  }
}

// Blanks and backslashes of a path are octal there.
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}
