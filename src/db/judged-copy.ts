import { Database } from 'bun:sqlite'
import { constants, copyFileSync, existsSync, statSync } from 'node:fs'
import { judge } from './earlier-release.ts'
import { LibraryRefused } from './refused.ts'

/** What may lie beside a library and belongs to it: the journals of a program that was killed. */
export const SUFFIXES = ['', '-wal', '-journal']

/**
 * Copies a file with its journals and opens the copy once it is known to be whole and a library that we open, so that
 * nothing is written to the file itself. `advice` is what to do with a file that is none. Throws LibraryRefused.
 */
export function openJudged(file: string, copy: string, advice: string): Database {
  if (statSync(file).size === 0) throw new LibraryRefused(`It is empty. ${advice}`)
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

function openWhole(copy: string, advice: string): Database {
  const db = new Database(copy, { readwrite: true, create: false })
  try {
    if (isWhole(db)) return db
  } catch (error) {
    const isForeign = error instanceof Error && 'code' in error && error.code === 'SQLITE_NOTADB'
    if (isForeign) throw new LibraryRefused('It is not a database.')
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
    const check = `PRAGMA quick_check("${name.replaceAll('"', '""')}")`
    return db.query<{ quick_check: string }, []>(check).get()?.quick_check === 'ok'
  })
}
