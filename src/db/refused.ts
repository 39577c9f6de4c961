/** Why a library is not opened: one sentence for the player. The file is as it was. */
export class LibraryRefused extends Error {}

/** Does something to a library, and says of any fault what it means. `outcome` is the sentence in front of the reason. */
export function refuseInWords<T>(outcome: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof LibraryRefused)) throw new LibraryRefused(`${outcome} ${inWords(error)}`)
    throw error.message.startsWith('Another Inglenook')
      ? error
      : new LibraryRefused(`${outcome} ${error.message}`)
  }
}

/** What a fault of a file or its folder means for the player. */
export function inWords(error: unknown): string {
  const code = codeOf(error)
  if (/EACCES|EPERM|EROFS|READONLY|CANTOPEN/.test(code))
    return 'It or its folder cannot be written to. Change that, or set APP_DB_PATH.'
  if (/ENOSPC|FULL/.test(code)) return 'The disk is full.'
  if (/IOERR|EDQUOT|EFBIG|EIO/.test(code)) return 'Its disk is full, or fails.'
  if (/ENOTDIR|EEXIST|EISDIR/.test(code))
    return 'APP_DB_PATH must name a file in a folder, and what stands beside it as "backups" must be a folder.'
  if (/CORRUPT/.test(code)) return 'It is damaged. Put a copy back: npm run restore FILE.'
  if (/NOTADB/.test(code)) return 'It is not a database.'
  if (isBusy(error)) return 'Another program holds it.'
  return `The system says: ${error instanceof Error ? error.message : error}`
}

/** Whether another program holds the file. */
export function isBusy(error: unknown): boolean {
  return /BUSY|LOCKED/.test(codeOf(error))
}

/** The code by which SQLite or the system names a fault; '' for any other. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
