import { getReaderPreferences, updateReaderPreferences } from '../db/tables/preferences.ts'
import type { ReaderPreferences } from '../domain/reader-preferences.ts'
import type { Deps } from './deps.ts'

/** Changes the given preferences, all or none. */
export function changeReaderPreferences(deps: Deps, changes: Partial<ReaderPreferences>): ReaderPreferences {
  deps.library.write((tx) => updateReaderPreferences(tx, changes))
  return getReaderPreferences(deps.library.reader)
}
