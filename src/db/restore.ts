import { Database } from 'bun:sqlite'
import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyInto, nameOf, restoringFolder, settle, stamp } from './copies.ts'
import { openJudged, rehearse, SUFFIXES } from './judged-copy.ts'
import { takeLock } from './lock.ts'
import { placeOf } from './place.ts'
import { LibraryRefused, refuseInWords } from './refused.ts'

/** Milliseconds that the old library may be held by another program. */
const PATIENCE = 5_000

/**
 * Puts a copy in the place of a library, once it is known to be whole and a library that we open. Gives the path under
 * which the old one is kept, or null when there was none. Throws LibraryRefused, also while a service runs; a refusal
 * changes nothing.
 */
export function restoreLibrary(place: string, given: string, now: Date): string | null {
  return refuseInWords(`${given} was not put back.`, () => {
    const [path, file] = [placeOf(place), placeOf(given)]
    if (!existsSync(file) || !statSync(file).isFile()) throw new LibraryRefused('There is no such file.')
    if (isSame(path, file)) throw new LibraryRefused('It is the library itself.')
    mkdirSync(dirname(path), { recursive: true })
    using _ = takeLock(path)
    const folder = restoringFolder(path)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { mode: 0o700 })
    try {
      const whole = join(folder, 'whole.db')
      using db = openJudged(file, join(folder, 'copy.db'), 'Choose another copy.')
      // Its journal goes into it, and what is put back is on the disk before the old library is touched.
      copyInto(db, whole)
      rehearse(db)
      const kept = keepOld(path, folder, now)
      renameSync(whole, path)
      return kept
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

function isSame(path: string, file: string): boolean {
  if (!existsSync(path)) return false
  const [one, other] = [statSync(path), statSync(file)]
  return one.ino === other.ino && one.dev === other.dev
}

/** Copies the old library beside itself and takes its journals away: they must not be read into the new one. */
function keepOld(path: string, folder: string, now: Date): string | null {
  if (!existsSync(path)) return null
  // What was killed is brought to an end first. A library that is too damaged for it is kept as it lies there.
  try {
    using db = new Database(path, { readwrite: true, create: false })
    db.run(`PRAGMA busy_timeout = ${PATIENCE}`)
    db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {}
  const kept = join(dirname(path), `${nameOf(path)}.before-restore-${stamp(now)}.db`)
  const copy = join(folder, 'old.db')
  // The file itself comes last: what lies under its name is whole.
  for (const suffix of SUFFIXES.toReversed()) {
    if (!existsSync(path + suffix)) continue
    copyFileSync(path + suffix, copy + suffix, constants.COPYFILE_FICLONE)
    settle(copy + suffix)
    renameSync(copy + suffix, kept + suffix)
  }
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true })
  return kept
}
