import { getReading, keepReading } from '../db/preferences.ts'
import type { Reading } from '../domain/reading.ts'
import type { Deps } from './deps.ts'

/** Changes how the player reads, all of what is given or none. */
export function changeReading(deps: Deps, changed: Partial<Reading>): Reading {
  deps.library.write((tx) => keepReading(tx, changed))
  return getReading(deps.library.reader)
}
