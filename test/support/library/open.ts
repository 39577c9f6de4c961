import { type OpenOptions, openLibrary as open } from '../../../src/db/library/open.ts'
import type { Library } from '../../../src/db/library.ts'
import { STARTERS } from '../../../src/practice/starters/starters.ts'

/** Opens a library as the service does. A new one has the starter scenarios. */
export function openLibrary(path: string, options: OpenOptions = {}): Library {
  return open(path, { starters: STARTERS, ...options })
}
