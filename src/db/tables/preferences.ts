import { type ReaderPreferences, readerPreferencesFrom } from '../../domain/reader-preferences.ts'
import type { Reader, Writer } from '../database.ts'

/** Missing or invalid values have their defaults. */
export function getReaderPreferences(reader: Reader): ReaderPreferences {
  return readerPreferencesFrom(
    reader.all<{ name: string; value: string }>('SELECT name, value FROM preferences'),
  )
}

export function updateReaderPreferences(tx: Writer, changed: Partial<ReaderPreferences>): void {
  for (const [name, value] of Object.entries(changed))
    tx.run('INSERT OR REPLACE INTO preferences (name, value) VALUES (?, ?)', name, JSON.stringify(value))
}
