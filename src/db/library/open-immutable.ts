import { constants, Database } from 'bun:sqlite'

/** Opens a file that nobody is using, read-only. Neither creates nor reads journal files. */
export function openImmutable(path: string): Database {
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI
  return new Database(`${Bun.pathToFileURL(path)}?immutable=1`, flags)
}
