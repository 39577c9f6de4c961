import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { modifiedAt } from './copy.ts'
import { copiesFolder, fileNamesIn, libraryName } from './names.ts'

type CopyKind = 'daily' | 'requested' | 'uploaded' | 'before a restore' | 'before an update'

/** `at` is the last change that it contains. */
export interface LibraryCopy {
  kind: CopyKind
  file: string
  name: string
  at: Date
  bytes: number
}

/** The most recent content first. */
export function listCopies(path: string): LibraryCopy[] {
  const start = `${libraryName(path)}.`
  return [copiesFolder(path), dirname(path)]
    .flatMap((folder) => fileNamesIn(folder).map((name) => join(folder, name)))
    .flatMap((file) => {
      const name = basename(file)
      const kind = name.startsWith(start) ? kindOf(name.slice(start.length)) : undefined
      return kind ? [{ kind, file, name, at: new Date(modifiedAt(file)), bytes: statSync(file).size }] : []
    })
    .sort((one, other) => other.at.getTime() - one.at.getTime())
}

/** The kinds of copies, by what follows the name of the library in theirs. */
const KINDS: readonly [name: RegExp, kind: CopyKind][] = [
  [/^\d{4}-\d\d-\d\d\.db$/, 'daily'],
  [/^copy-\w+\+*\.db$/, 'requested'],
  [/^uploaded-\w+\+*\.db$/, 'uploaded'],
  [/^before-restore-[\w-]+\+*\.db$/, 'before a restore'],
  [/^before-[\w-]+\+*\.db$/, 'before an update'],
]

function kindOf(name: string): CopyKind | undefined {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1]
}
