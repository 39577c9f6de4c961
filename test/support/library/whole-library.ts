import { Database } from 'bun:sqlite'
import { inflateSync } from 'node:zlib'

/** Every row of a library with user data, in a form that can be compared. */
export type WholeLibrary = readonly string[]

/** Tables derived from the rest, and SQLite's own. */
const DERIVED = /^(sqlite_|search_|memory_words|endpoint_facts|remember_troubles)/
/** Columns that differ between two runs of the same operation; `reading` tells what one process knows of a server's cache. */
const CLOCKS = /(_at|_date)$|^(milliseconds|timings|reading)$/

/** Reads all rows of a library, without times. Works while a service is running. */
export function wholeLibrary(path: string): WholeLibrary {
  using db = new Database(path, { readonly: true })
  const tables = db
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .filter(({ name }) => !DERIVED.test(name))
  return tables.flatMap(({ name }) =>
    db
      .query<Record<string, unknown>, []>(`SELECT * FROM "${name}" ORDER BY 1, 2`)
      .all()
      .map((row) => `${name} ${JSON.stringify(row, timeless)}`),
  )
}

/** The errors that SQLite's integrity check finds in a library. */
export function faultsIn(path: string): unknown[] {
  using db = new Database(path, { readonly: true })
  const found = db.query<{ integrity_check: string }, []>('PRAGMA integrity_check').all()
  return [
    ...found.filter(({ integrity_check }) => integrity_check !== 'ok'),
    ...db.query('PRAGMA foreign_key_check').all(),
  ]
}

/** The rows in which two libraries differ, in readable form. */
export function difference(one: WholeLibrary, other: WholeLibrary): string {
  const [inOne, inOther] = [new Set(one), new Set(other)]
  const short = (mark: string, rows: string[]) => rows.map((row) => `${mark} ${row.slice(0, 300)}`)
  return [
    ...short(
      '-',
      one.filter((row) => !inOther.has(row)),
    ),
    ...short(
      '+',
      other.filter((row) => !inOne.has(row)),
    ),
  ].join('\n')
}

function timeless(key: string, value: unknown): unknown {
  if (CLOCKS.test(key)) return undefined
  if (value instanceof Uint8Array)
    return key === 'context_snapshot' ? opened(inflated(value)) : value.toBase64()
  return typeof value === 'string' && /^[[{]/.test(value) ? opened(value) : value
}

// JSON in a cell may contain times as well.
function opened(text: string): unknown {
  try {
    return JSON.parse(text, (key, value) => (CLOCKS.test(key) ? undefined : value))
  } catch {
    return text
  }
}

function inflated(bytes: Uint8Array): string {
  return inflateSync(bytes).toString()
}
