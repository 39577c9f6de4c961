import { commandLine } from '../lib/project.ts'
/** Reason for which a library cannot be opened, copied or restored, for the player. The file has not been changed. */
export class LibraryRefused extends Error {}

/** Runs `work` and turns any error into a LibraryRefused: `outcome` ("X was not opened."), then the reason. */
export function refusingWithReason<T>(outcome: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof LibraryRefused)) throw new LibraryRefused(`${outcome} ${describeError(error)}`)
    throw error.message.startsWith('Another Inglenook')
      ? error
      : new LibraryRefused(`${outcome} ${error.message}`)
  }
}

export function describeError(error: unknown): string {
  if (error instanceof LibraryRefused) return error.message
  const code = sqliteCode(error)
  if (/EACCES|EPERM|EROFS|READONLY|CANTOPEN/.test(code))
    return 'The file or its folder is not writable. Change its permissions, or set APP_DB_PATH to another file.'
  if (/ENOSPC|FULL/.test(code)) return 'The disk is full.'
  if (/IOERR|EDQUOT|EFBIG|EIO/.test(code)) return 'The disk is full or failing.'
  if (/ENOTDIR|EEXIST|EISDIR/.test(code))
    return 'APP_DB_PATH must be a file inside a folder, and "backups" next to it must be a folder.'
  if (/CORRUPT/.test(code)) return `The file is damaged. Restore a backup: ${commandLine('restore FILE')}.`
  if (/NOTADB/.test(code)) return 'It is not a database.'
  if (isLockedError(error)) return 'Another program is using it. Close that program, then try again.'
  return `The system reported: ${error instanceof Error ? error.message : error}`
}

/** True if another program has locked the file. */
export function isLockedError(error: unknown): boolean {
  return /^(SQLITE_(BUSY|LOCKED)|EBUSY)/.test(sqliteCode(error))
}

/** True if the disk is full, or failing. */
export function isRoomError(error: unknown): boolean {
  return /^(SQLITE_(FULL|IOERR)|ENOSPC|EDQUOT|EFBIG|EIO)/.test(sqliteCode(error))
}

/** The error code from SQLite or the system; '' for any other error. */
export function sqliteCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
