import { setOwn } from '../../lib/objects.ts'
import type { ZipFile } from './read-zip.ts'

/** An archive as its receipt lists it: a key for each file, with the value of those that were read. Folders are none. */
export function archiveKeys(
  files: readonly ZipFile[],
  values: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const keys: Record<string, unknown> = {}
  for (const { name } of files) if (!name.endsWith('/')) setOwn(keys, name, values.get(name) ?? true)
  return keys
}
