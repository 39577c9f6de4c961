import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LibraryRefused, refusingWithReason } from '../library-refused.ts'
import type { LibraryContents } from './copies/contents.ts'
import { syncToDisk } from './copies/copy.ts'
import { checkpointFile, deleteJournals } from './copies/journals.ts'
import { newCopyPath } from './copies/names.ts'
import { restoringFolder } from './copies/unfinished.ts'
import { JOURNAL_SUFFIXES } from './file-state.ts'
import { acquireLock } from './lock.ts'
import { makePrivate } from './private.ts'
import { libraryPath, realPath } from './real-path.ts'
import { tryLibrary } from './trial-copy.ts'

/**
 * Replaces a library with a copy, after checking that the copy is an intact library that we can open. Returns the path at
 * which the old library is kept, or null if there was none. Waits up to `lockTimeout` milliseconds for other programs that
 * use the old library. Throws LibraryRefused, for example while a service is running; nothing has been changed then.
 */
export function restoreLibrary(library: string, copy: string, now: Date, lockTimeout = 5_000): string | null {
  return refusingWithReason(`${copy} was not restored.`, () => {
    const [path, file] = [libraryPath(library), realPath(copy)]
    if (!existsSync(file) || !statSync(file).isFile()) throw new LibraryRefused('There is no such file.')
    if (isSameFile(path, file)) throw new LibraryRefused('It is the library itself.')
    mkdirSync(dirname(path), { recursive: true })
    using _ = acquireLock(path)
    const folder = restoringFolder(path)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { mode: 0o700 })
    try {
      tryLibrary({ file, folder, advice: ADVICE, keep: 'always' })
      const old = keepOldLibrary({ path, folder, now, lockTimeout })
      // One file without a journal, flushed to disk before the old library was touched.
      renameSync(join(folder, 'whole.db'), path)
      makePrivate(path)
      return old
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

const ADVICE = 'Choose another backup.'

/** Checks the copy as a restore does. The caller deletes `folder`. Throws LibraryRefused. */
export function previewCopy(file: string, folder: string): LibraryContents {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return tryLibrary({ file: realPath(file), folder, advice: ADVICE, keep: 'before an upgrade' }).contents
}

function isSameFile(path: string, file: string): boolean {
  if (!existsSync(path)) return false
  const [one, other] = [statSync(path), statSync(file)]
  return one.ino === other.ino && one.dev === other.dev
}

/**
 * Copies the old library to a new name next to it and deletes its journals. If the process is killed at any point, the old
 * library is still complete: the content of its journals is moved into the file before they are deleted.
 */
function keepOldLibrary(options: {
  path: string
  folder: string
  now: Date
  lockTimeout: number
}): string | null {
  const { path, folder, now, lockTimeout } = options
  if (existsSync(path)) checkpointFile(path, lockTimeout)
  const target = newCopyPath(dirname(path), path, 'before-restore', now)
  const present = JOURNAL_SUFFIXES.filter((suffix) => existsSync(path + suffix))
  // The file itself comes last, so that a file of that name is always complete.
  for (const suffix of present.toReversed()) {
    const copy = join(folder, `old.db${suffix}`)
    copyFileSync(path + suffix, copy, constants.COPYFILE_FICLONE)
    syncToDisk(copy)
    renameSync(copy, target + suffix)
  }
  deleteJournals(path)
  return present.length > 0 ? target : null
}
