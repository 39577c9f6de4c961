import { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bringForward, missingMigrations } from './bring-forward.ts'
import { clearUnfinished, copyInto, judgingFolder, nameOf, stamp } from './copies.ts'
import { connect, connectAsLeft, Library, SERVING, type Watch } from './database.ts'
import { judgeColumns } from './earlier-release/validate.ts'
import { furnish, setRight } from './furnish.ts'
import { openJudged, rehearse, standing } from './judged-copy.ts'
import { takeLock } from './library/lock.ts'
import { allMigrations, BASE_VERSION, migrate } from './library/migrate.ts'
import { placeOf } from './place.ts'
import { LibraryRefused, refuseInWords } from './refused.ts'

/** Milliseconds that a connection waits for another program while the library is opened. */
const OPENING = 5_000

/**
 * Opens the library at a path, or makes a fresh one where there is nothing. An existing file is judged on a copy,
 * and copied beside itself before its first change (rulings of the data: `docs/ARCHITECTURE.md`). Throws LibraryRefused.
 */
export function openLibrary(given: string, watch: Watch = () => {}): Library {
  const notOpened = `${given} was not opened.`
  const [path, lock] = refuseInWords(notOpened, () => {
    const path = placeOf(given)
    mkdirSync(dirname(path), { recursive: true })
    return [path, takeLock(path)]
  })
  try {
    return refuseInWords(notOpened, () => {
      clearUnfinished(path)
      if (existsSync(path)) prepare(path)
      else makeFresh(path)
      const db = connect(path, OPENING)
      setRight(db)
      db.run(`PRAGMA busy_timeout = ${SERVING}`)
      return new Library(path, db, lock, watch)
    })
  } catch (error) {
    lock.close()
    throw error
  }
}

// Under a temporary name until it is whole: a kill in between leaves no half library.
function makeFresh(path: string): void {
  if (existsSync(`${path}-wal`) || existsSync(`${path}-journal`))
    throw new LibraryRefused(
      'Its journal is there but the file itself is gone. Put the file back, or move the journal away.',
    )
  const unfinished = `${path}.new`
  try {
    const db = new Database(unfinished, { create: true, readwrite: true })
    try {
      migrate(db, allMigrations())
      db.run(`PRAGMA user_version = ${BASE_VERSION}`)
      furnish(db)
    } finally {
      db.close()
    }
    renameSync(unfinished, path)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

function prepare(path: string): void {
  accessSync(path, constants.R_OK | constants.W_OK)
  const folder = judgingFolder(path)
  mkdirSync(folder, { mode: 0o700 })
  try {
    if (!mustChange(path, folder)) return
    using db = connectAsLeft(path, OPENING)
    bringForward(db)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Judges a copy. If the file lacks steps they are taken there first, and a copy of what it was is kept beside it. */
function mustChange(path: string, folder: string): boolean {
  const found = standing(path)
  using db = openJudged(
    path,
    join(folder, 'library.db'),
    'Put a copy back, or move it away to begin a fresh library.',
  )
  const [first] = missingMigrations(db)
  if (first === undefined) {
    judgeColumns(db)
    return false
  }
  const kept = join(folder, 'kept.db')
  copyInto(db, kept)
  rehearse(db)
  // The earlier release takes no lock of ours. A copy that it wrote into may be torn, and would not be what there was.
  if (standing(path) !== found) throw new LibraryRefused('Another program is writing to it. Stop that first.')
  const name = `${nameOf(path)}.before-${first.replace('.sql', '')}-${stamp(new Date())}`
  renameSync(kept, nobodys(join(dirname(path), name)))
  return true
}

/** A name that no file has: two starts may fall into one second. */
function nobodys(name: string): string {
  for (let more = ''; ; more += '+') if (!existsSync(`${name}${more}.db`)) return `${name}${more}.db`
}
