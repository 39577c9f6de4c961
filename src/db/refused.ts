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

function inWords(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/EACCES|EPERM|EROFS|READONLY|CANTOPEN/.test(code))
    return 'It or its folder cannot be written to. Change that, or set APP_DB_PATH.'
  if (/ENOSPC|FULL/.test(code)) return 'The disk is full.'
  if (/IOERR|EDQUOT|EFBIG|EIO/.test(code)) return 'Its disk is full, or fails.'
  if (/ENOTDIR|EEXIST|EISDIR/.test(code)) return 'APP_DB_PATH must name a file in a folder.'
  if (/BUSY|LOCKED/.test(code)) return 'Another program holds it.'
  return `The system says: ${error instanceof Error ? error.message : error}`
}
