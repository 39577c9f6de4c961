import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { risingClock } from './clock.ts'
import { readConfig } from './config.ts'
import { copiesFolder, copyLibrary, copyName } from './db/copies.ts'
import { LibraryRefused, refuseInWords } from './db/refused.ts'

/** Copies the library, while a service uses it or not. Gives the path of the copy. Throws LibraryRefused. */
function backup(path: string, given: string | undefined): string {
  const copy = given ?? join(copiesFolder(path), copyName(path, risingClock()()))
  return refuseInWords('Nothing was copied.', () => {
    if (!existsSync(path)) throw new LibraryRefused(`There is no library at ${path}.`)
    if (existsSync(copy))
      throw new LibraryRefused(`There is something at ${copy} already. Choose another name.`)
    copyLibrary(path, copy)
    return copy
  })
}

try {
  const given = process.argv[2]
  console.log(`Copied to ${backup(readConfig(process.env).dbPath, given && resolve(given))}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
