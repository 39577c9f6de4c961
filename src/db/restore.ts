import { Database } from 'bun:sqlite'
import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyInto, nameOf, restoringFolder, settle, stamp } from './copies.ts'
import { openJudged, rehearse, SUFFIXES } from './judged-copy.ts'
import { takeLock } from './library/lock.ts'
import { placeOf } from './place.ts'
import { isBusy, LibraryRefused, refuseInWords } from './refused.ts'

/**
 * Puts a copy in the place of a library, once it is known to be whole and a library that we open. Gives the path under
 * which the old one is kept, or null when there was none. `patience` is how many milliseconds another program may hold the
 * old library. Throws LibraryRefused, also while a service runs; a refusal changes nothing.
 */
export function restoreLibrary(place: string, given: string, now: Date, patience = 5_000): string | null {
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
      const kept = keepOld(path, folder, now, patience)
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

/** What the journals of a library end in. They must not be read into another one. */
const JOURNALS = ['-wal', '-shm', '-journal']

/**
 * Copies the old library beside itself and takes its journals away. Killed at any step, the old library is still there,
 * with all its words: they are in the file itself before its journals go.
 */
function keepOld(path: string, folder: string, now: Date, patience: number): string | null {
  if (existsSync(path)) bringToEnd(path, patience)
  const kept = join(dirname(path), `${nameOf(path)}.before-restore-${stamp(now)}.db`)
  const there = SUFFIXES.filter((suffix) => existsSync(path + suffix))
  // The file itself comes last, so that nothing half copied has its name.
  for (const suffix of there.toReversed()) {
    const copy = join(folder, `old.db${suffix}`)
    copyFileSync(path + suffix, copy, constants.COPYFILE_FICLONE)
    settle(copy)
    renameSync(copy, kept + suffix)
  }
  for (const suffix of JOURNALS) rmSync(path + suffix, { force: true })
  return there.length > 0 ? kept : null
}

/**
 * Moves into a library what is in its journals. One that is too damaged for it is kept as it lies there. Throws
 * LibraryRefused while another program reads or writes it.
 */
function bringToEnd(path: string, patience: number): void {
  try {
    using db = new Database(path, { readwrite: true, create: false })
    db.run(`PRAGMA busy_timeout = ${patience}`)
    db.query('SELECT count(*) FROM sqlite_schema').get()
    const moved = db.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()
    if (moved?.busy) throw new LibraryRefused('Another program holds the library. Close it first.')
  } catch (error) {
    if (error instanceof LibraryRefused || isBusy(error)) throw error
  }
}
