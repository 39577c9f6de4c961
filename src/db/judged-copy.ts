import { Database } from 'bun:sqlite'
import { constants, copyFileSync, existsSync, statSync } from 'node:fs'
import { bringForward } from './bring-forward.ts'
import { GUARDED, quoted } from './database.ts'
import { judge } from './earlier-release/validate.ts'
import { codeOf, LibraryRefused } from './refused.ts'
import { tryOut } from './library/trial/smoke-test.ts'

/** What may lie beside a library and belongs to it: the journals of a program that was killed. */
export const SUFFIXES = ['', '-wal', '-journal']

/** Bytes of the smallest page. SQLite takes what is shorter for a database with nothing in it. */
const SMALLEST = 512

/** By what a file and its journals are known to have been written. */
export function standing(file: string): string {
  const stats = SUFFIXES.map((suffix) => statSync(file + suffix, { throwIfNoEntry: false }))
  return stats.map((stat) => (stat ? `${stat.mtimeMs} ${stat.size}` : '')).join()
}

/**
 * Copies a file with its journals and opens the copy once it is known to be whole and a library that we open, so that
 * nothing is written to the file itself. `advice` is what to do with a file that is none. Throws LibraryRefused.
 */
export function openJudged(file: string, copy: string, advice: string): Database {
  if (!statSync(file).isFile()) throw new LibraryRefused('It is not a file.')
  const { size } = statSync(file)
  if (size === 0) throw new LibraryRefused(`It is empty. ${advice}`)
  if (size < SMALLEST) throw new LibraryRefused('It is not a database.')
  for (const suffix of SUFFIXES)
    if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix, constants.COPYFILE_FICLONE)
  const db = openWhole(copy, advice)
  try {
    judge(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Takes on a copy all that a file lacks, and plays a little in it, so that what cannot be done there is never begun in
 * the file itself. The copy is of no use afterwards. Throws LibraryRefused.
 */
export function rehearse(copy: Database): void {
  for (const pragma of GUARDED) copy.run(`PRAGMA ${pragma}`)
  // Nobody needs it after a loss of power.
  copy.run('PRAGMA synchronous = OFF')
  try {
    bringForward(copy)
    tryOut(copy)
  } catch (error) {
    const code = codeOf(error)
    if (!/^SQLITE_(ERROR|CONSTRAINT)/.test(code)) throw error
    throw new LibraryRefused(
      `Something in it leaves no room for stories (${error instanceof Error ? error.message : code}).`,
    )
  }
}

function openWhole(copy: string, advice: string): Database {
  const db = new Database(copy, { readwrite: true, create: false })
  try {
    if (isWhole(db) && !breaksOff(db, copy)) return db
  } catch (error) {
    if (codeOf(error) === 'SQLITE_NOTADB') throw new LibraryRefused('It is not a database.')
  }
  db.close()
  throw new LibraryRefused(`It is damaged, and is left as it is. ${advice}`)
}

/** Whether every table of a file is whole, but for the text search, which is made anew when it is not. */
// Table by table: asked of the whole file, SQLite would also read every word of the search index against itself.
export function isWhole(db: Database): boolean {
  const tables = db.query<{ name: string }, []>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
  )
  return [...tables.all(), { name: 'sqlite_schema' }].every(({ name }) => {
    const check = `PRAGMA quick_check(${quoted(name)})`
    return db.query<{ quick_check: string }, []>(check).get()?.quick_check === 'ok'
  })
}

// SQLite reads a last page of which only a part is there as if the rest were zeros.
function breaksOff(db: Database, copy: string): boolean {
  const number = (pragma: string) => Object.values(db.query(`PRAGMA ${pragma}`).get() ?? {})[0]
  // What a journal holds may be on no page of the file yet.
  if (statSync(`${copy}-wal`, { throwIfNoEntry: false })?.size) return false
  return statSync(copy).size < Number(number('page_count')) * Number(number('page_size'))
}
