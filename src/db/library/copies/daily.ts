import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { changedAt, deleteFile, modifiedAt } from './copy.ts'
import { copiesFolder, dayOf, fileNamesIn, libraryName } from './names.ts'

const MAX_COPIES = 5

/** `isDue`: there is none yet today, and the library has changed since the last one. */
export function dailyCopy(path: string, now: Date): { target: string; isDue: boolean } {
  const target = join(copiesFolder(path), `${libraryName(path)}.${dayOf(now)}.db`)
  const last = dailyCopies(path, now).at(-1)
  // An earlier time counts as a change too, because clocks are set back.
  const isChanged = last === undefined || changedAt(path) !== modifiedAt(last)
  return { target, isDue: !existsSync(target) && isChanged }
}

export async function deleteOldCopies(path: string, now: Date): Promise<void> {
  for (const copy of dailyCopies(path, now).slice(0, -MAX_COPIES)) await deleteFile(copy)
}

/** Oldest first. Copies dated in the future were made while the clock was ahead, and count as the oldest. */
function dailyCopies(path: string, now: Date): string[] {
  const folder = copiesFolder(path)
  const start = `${libraryName(path)}.`
  const today = `${start}${dayOf(now)}.db`
  const names = fileNamesIn(folder)
    .filter((name) => name.startsWith(start) && /^\d{4}-\d\d-\d\d\.db$/.test(name.slice(start.length)))
    .sort()
  return [...names.filter((name) => name > today), ...names.filter((name) => name <= today)].map((name) =>
    join(folder, name),
  )
}
