import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { StoryError } from '../domain/errors.ts'
import { isLockedError, sqliteCode } from './library-refused.ts'

/** Runs `work`. Throws library_busy or storage_full for failures that the player can fix. */
export function translatingErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw playerError(error)
  }
}

function playerError(error: unknown): unknown {
  const code = sqliteCode(error)
  if (isLockedError(error))
    return new StoryError('library_busy', 'Another program is using the library file. Try again in a moment.')
  if (/^(SQLITE_FULL|ENOSPC)/.test(code))
    return new StoryError(
      'storage_full',
      'The disk is full. Nothing was changed. Free some space and try again.',
    )
  // SQLite reports quotas, file size limits and read-only disks in the same way as a failing disk.
  if (/^(SQLITE_(IOERR|READONLY|CANTOPEN)|EDQUOT|EFBIG|EIO|EROFS|EACCES|EPERM)/.test(code))
    return new StoryError(
      'storage_full',
      'The library could not be written: the disk is full, failing or read-only. Nothing was changed. Check the disk and try again.',
    )
  return error
}

/** The free space on the disk of a folder, in bytes. */
export type FreeSpace = (folder: string) => number

export const freeSpaceOf: FreeSpace = (folder) => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Bytes of the journal before it is moved into the library file. */
const JOURNAL = 4 * 1024 * 1024
/** Bytes in the library for each byte of an import, its search index included. */
const GROWTH = 3

/** Throws storage_full unless an import of so many bytes fits on the disk of a library. */
export function assertRoomToImport(path: string, bytes: number, free = freeSpaceOf): void {
  if (free(dirname(path)) >= GROWTH * bytes + JOURNAL) return
  throw new StoryError(
    'storage_full',
    'The disk is too full for this import. Nothing was changed. Free some space and try again.',
  )
}
