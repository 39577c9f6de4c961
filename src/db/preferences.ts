import { type Reading, readingFrom } from '../domain/reading.ts'
import type { Reader, Writer } from './database.ts'

/** How the player likes to read. What is not set, or no longer fits, is as usual. */
export function getReading(reader: Reader): Reading {
  return readingFrom(reader.all<{ name: string; value: string }>('SELECT name, value FROM preferences'))
}

export function keepReading(tx: Writer, changed: Partial<Reading>): void {
  for (const [name, value] of Object.entries(changed))
    tx.run('INSERT OR REPLACE INTO preferences (name, value) VALUES (?, ?)', name, JSON.stringify(value))
}
