import { resolve } from 'node:path'
import { risingClock } from './clock.ts'
import { readConfig } from './config.ts'
import { LibraryRefused } from './db/refused.ts'
import { restoreLibrary } from './db/restore.ts'

try {
  const given = process.argv[2]
  if (given === undefined)
    throw new LibraryRefused(
      'Name the copy to put back: npm run restore data/backups/inglenook.2026-03-01.db',
    )
  const path = readConfig(process.env).dbPath
  const kept = restoreLibrary(path, resolve(given), risingClock()())
  console.log(`${path} is now what was in ${resolve(given)}.`)
  if (kept !== null) console.log(`The library that was there is kept at ${kept}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
