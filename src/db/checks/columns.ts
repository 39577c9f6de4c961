import type { Reader } from '../database.ts'
import { rowFinding } from './check.ts'
import { declaredTables } from './declared-schema.ts'

/** Columns of removed features, which are never read. */
const UNUSED = new Set([
  'settings.api_key',
  'scenarios.is_public',
  'adventures.script_state',
  'actions.state_before',
])

export interface CheckedColumn {
  table: string
  /** SQL that identifies a row: `id` or, for tables without one, `rowid`. */
  key: string
  /** The quoted name. */
  column: string
}

/** The columns of a declared type that this file has and that are read. */
export function columnsOfType(reader: Reader, type: RegExp): CheckedColumn[] {
  return declaredTables().flatMap(({ name: table, columns, hasRowid }) => {
    const present = columnNames(reader, table)
    const key = columns.some(({ name }) => name === 'id') ? 'id' : hasRowid ? 'rowid' : "'?'"
    return columns
      .filter((column) => type.test(column.type) && present.has(column.name))
      .filter(({ name }) => !UNUSED.has(`${table}.${name}`))
      .map((column) => ({ table, key, column: `"${column.name}"` }))
  })
}

export function jsonColumns(reader: Reader): CheckedColumn[] {
  return [
    ...columnsOfType(reader, /JSON/),
    ...columnsOfType(reader, /TEXT/).filter(({ column }) => column === '"prompt_notes"'),
  ]
}

/** The columns of a table in this file; empty if there is no such table. */
export function columnNames(reader: Reader, table: string): Set<string> {
  return new Set(reader.column<string>('SELECT name FROM pragma_table_info(?)', table))
}

/** A finding about the cells of a column for which the SQL condition `where` is true. */
export function cellFinding(
  reader: Reader,
  { table, key, column }: CheckedColumn,
  where: string,
  what: string,
): string[] {
  const rows = reader.all<{ id: number }>(`SELECT ${key} AS id FROM ${table} WHERE ${where}`)
  return rowFinding(table, rows, `${column} ${what}`)
}
