import type { Statement } from 'bun:sqlite'
import { inMemoryLibrary } from './library/migrate.ts'

type Row = Record<string, unknown>

interface Kind {
  declared: RegExp
  isRight(value: unknown): boolean
  zero: string | number
}

// Dates, JSON and bytes are parsed by those who read them, whatever they are (column-values.ts). What an expression gives
// has no declared type; none of ours gives bytes.
const KINDS: readonly Kind[] = [
  { declared: /^$/, isRight: (value) => !(value instanceof Uint8Array), zero: '' },
  { declared: /CHAR|TEXT/i, isRight: (value) => typeof value === 'string', zero: '' },
  { declared: /INT|BOOL/i, isRight: Number.isSafeInteger, zero: 0 },
  { declared: /FLOA|REAL/i, isRight: Number.isFinite, zero: 0 },
]

interface Check {
  name: string
  kind: Kind
}

const checks = new WeakMap<Statement, readonly Check[]>()

/**
 * Replaces what does not fit the declared type of its column, because other programs may have stored anything: bytes
 * are decoded where a text belongs, and anything else is read as the default of the column or as null.
 */
export function withFittingCells(statement: Statement, rows: readonly unknown[]): void {
  if (rows.length === 0) return
  const known = checks.get(statement) ?? checksOf(statement)
  checks.set(statement, known)
  for (const row of rows as Row[])
    for (const { name, kind } of known) {
      const value = row[name]
      if (value !== null && !kind.isRight(value)) row[name] = fitting(value, name, kind)
    }
}

// The position of an action stays as it is, because the next chunk of a story is read from there on. No service starts with
// a wrong one, but the doctor reads them.
function checksOf({ columnNames, declaredTypes }: Statement): Check[] {
  return columnNames.flatMap((name, i) => {
    if (name === 'index') return []
    const kind = KINDS.find(({ declared }) => declared.test(declaredTypes[i] ?? ''))
    return kind ? [{ name, kind }] : []
  })
}

function fitting(value: unknown, name: string, { zero }: Kind): unknown {
  if (value instanceof Uint8Array && zero === '') return new TextDecoder().decode(value)
  fallbacks ??= readFallbacks()
  return fallbacks.has(name) ? (fallbacks.get(name) ?? zero) : null
}

/** The defaults of the required columns by name; null for those without one. */
let fallbacks: Map<string, unknown> | undefined

function readFallbacks(): Map<string, unknown> {
  using db = inMemoryLibrary()
  const columns = db
    .query<{ name: string; fallback: string | null }, []>(
      `SELECT c.name, c.dflt_value AS fallback FROM sqlite_schema t, pragma_table_info(t.name) c
        WHERE t.type = 'table' AND c."notnull"`,
    )
    .all()
  return new Map(
    columns.map(({ name, fallback }) => [
      name,
      Object.values(db.query<Row, []>(`SELECT ${fallback ?? 'NULL'} AS value`).get() ?? {})[0],
    ]),
  )
}
