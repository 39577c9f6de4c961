import type { Database } from 'bun:sqlite'
import { columnsOf, hasColumn } from './database.ts'
import { isSnapshot } from './snapshots.ts'

/** Something in a library that is not as it should be, and that it is read with all the same. */
export interface Remark {
  where: string
  rows: number
  /** Goes on from "so many rows". */
  what: string
}

/** Looks at every row, so it takes its time. */
export function remarksOn(db: Database): Remark[] {
  return [...laxColumns(db), ...strayRows(db), ...unreadPrompts(db), ...unpackedVectors(db)].filter(
    ({ rows }) => rows > 0,
  )
}

const JSON_COLUMNS = {
  scenarios: ['stat_schema'],
  adventures: ['world_state', 'stat_schema', 'placeholders'],
  actions: ['world_state_before', 'world_delta', 'variants'],
}

// Other programs may stumble over it.
function laxColumns(db: Database): Remark[] {
  return Object.entries(JSON_COLUMNS).flatMap(([table, columns]) => {
    const present = columnsOf(db, table).map(({ name }) => name)
    return columns
      .filter((column) => present.includes(column))
      .map((column) => ({
        where: `${table}.${column}`,
        rows: count(db, `${table} WHERE ${column} IS NOT NULL AND NOT json_valid(${column})`),
        what: 'hold JSON that is not strict. They are read all the same.',
      }))
  })
}

// The earlier release deletes what belongs to a story with it; other programs may not.
function strayRows(db: Database): Remark[] {
  return db
    .query<{ child: string; parent: string; rows: number }, []>(
      'SELECT "table" AS child, parent, count(*) AS rows FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2',
    )
    .all()
    .map(({ child, parent, rows }) => ({
      where: child,
      rows,
      what: `belong to a row of ${parent} that is gone. They are kept, and no new row takes them for its own.`,
    }))
}

function unreadPrompts(db: Database): Remark[] {
  const blobOf = db.query<{ kept: Uint8Array | string }, [number]>(
    'SELECT context_snapshot AS kept FROM actions WHERE id = ?',
  )
  const rows = db
    .query<{ id: number }, []>('SELECT id FROM actions WHERE context_snapshot IS NOT NULL')
    .all()
    .filter(({ id }) => !isSnapshot(blobOf.get(id)?.kept ?? null))
  const what = 'keep a prompt that cannot be read. It stays as it is.'
  return [{ where: 'actions.context_snapshot', rows: rows.length, what }]
}

function unpackedVectors(db: Database): Remark[] {
  if (!hasColumn(db, 'memories', 'embedding')) return []
  const rows = count(db, 'memories WHERE embedding IS NOT NULL')
  const what = 'keep a vector of the earlier release that is no list of numbers. It is not used.'
  return [{ where: 'memories.embedding', rows, what }]
}

function count(db: Database, from: string): number {
  return db.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${from}`).get()?.rows ?? 0
}
