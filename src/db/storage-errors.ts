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
