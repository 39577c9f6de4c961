import { constants, Database } from 'bun:sqlite'

/** Opens a file that nobody uses, for reading alone: no journal is made beside it, and none is read. */
export function openQuietly(path: string): Database {
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI
  return new Database(`${Bun.pathToFileURL(path)}?immutable=1`, flags)
}
