import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { copiesFolder, type KeptCopy, leftHalfDone, listCopies, unfinishedCopies } from '../copies.ts'
import { judge } from '../earlier-release/validate.ts'
import { isWhole } from '../judged-copy.ts'
import { openQuietly } from '../library/open-immutable.ts'
import { LibraryRefused } from '../refused.ts'
import type { Finding } from './check.ts'

/** Bytes that are free on the disk of a folder. */
export type FreeRoom = (folder: string) => number

/** What lies around a library. */
export interface Around {
  copies: KeptCopy[]
  findings: Finding[]
}

/** Looks at the copies of a library and at what was left half done beside it. `size` is how many bytes a copy takes. */
export function lookAround(path: string, isRunning: boolean, size: number, free: FreeRoom = roomIn): Around {
  const copies = listCopies(path)
  return {
    copies,
    findings: [
      ...leftovers(path, isRunning),
      ...unfinishedCopies(path).map((file) => ({
        check: 'broken-off copy',
        what: `${basename(file)} is a copy that was broken off`,
        advice: 'Delete it, unless a copy is being made right now.',
      })),
      ...newestCopy(copies[0]),
      ...folderOfCopies(path, size, free),
    ],
  }
}

// While the service runs they are in use.
function leftovers(path: string, isRunning: boolean): Finding[] {
  if (isRunning) return []
  return leftHalfDone(path).map((file) => ({
    check: 'half done',
    what: `${basename(file)} was left half done by a program that was killed`,
    advice: 'Start Inglenook: it clears that away.',
  }))
}

function newestCopy(newest: KeptCopy | undefined): Finding[] {
  const why = newest ? whyUnfit(newest.file) : null
  if (!newest || why === null) return []
  return [
    {
      check: 'newest copy',
      what: `the newest copy, ${basename(newest.file)}, cannot be put back: ${why}`,
      advice: 'Make a new one: npm run backup.',
    },
  ]
}

function whyUnfit(file: string): string | null {
  try {
    using db = openQuietly(file)
    judge(db)
    return isWhole(db) ? null : 'it is damaged.'
  } catch (error) {
    return error instanceof LibraryRefused ? error.message : 'it is no database, or damaged.'
  }
}

function folderOfCopies(path: string, size: number, free: FreeRoom): Finding[] {
  const folder = copiesFolder(path)
  const found = (what: string, advice: string) => [{ check: 'folder of copies', what, advice }]
  // It is made with the first copy.
  const place = existsSync(folder) ? folder : dirname(folder)
  if (!statSync(place).isDirectory())
    return found(`${folder} is not a folder, so no copy is made`, 'Move it away.')
  try {
    accessSync(place, constants.W_OK)
  } catch {
    return found(`${place} cannot be written to, so no copy is made`, 'Let Inglenook write there.')
  }
  if (free(place) >= size) return []
  return found(
    'there is no room for another copy on the disk',
    'Make room, or copy it elsewhere: npm run backup FILE.',
  )
}

function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
