import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { modifiedAt } from './copy.ts'
import { copiesFolder, fileNamesIn, libraryName } from './names.ts'

/** A copy of the library. `at` is the last change that it contains. */
export interface LibraryCopy {
  file: string
  name: string
  at: Date
  bytes: number
}

/** All copies in the backup folder and next to the library, the most recent content first. */
export function listCopies(path: string): LibraryCopy[] {
  const start = `${libraryName(path)}.`
  return [copiesFolder(path), dirname(path)]
    .flatMap((folder) => fileNamesIn(folder).map((name) => join(folder, name)))
    .filter((file) => basename(file).startsWith(start) && COPY.test(basename(file).slice(start.length)))
    .map((file) => ({
      file,
      name: basename(file),
      at: new Date(modifiedAt(file)),
      bytes: statSync(file).size,
    }))
    .sort((one, other) => other.at.getTime() - one.at.getTime())
}

const COPY = /^(\d{4}-\d\d-\d\d|copy-\w+|before-[\w-]+\+*)\.db$/
