import type { Database } from 'bun:sqlite'
import { type ColumnValue, storedTime } from './column-values.ts'

/** A quoted SQL name: tables and columns of other programs may contain any character. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function columnsOf(db: Database, table: string): Column[] {
  return db
    .query<Column, [string]>('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)')
    .all(table)
}

export function hasColumn(db: Database, table: string, column: string): boolean {
  return columnsOf(db, table).some(({ name }) => name === column)
}

export interface Column {
  name: string
  type: string
  notnull: number
  dflt_value: string | null
  pk: number
}

/** A filler for a NOT NULL column, by its declared type; undefined if no value is sure to fit. */
export function neutralValue(type: string): ColumnValue | undefined {
  if (/DATE|TIME/i.test(type)) return storedTime(new Date())
  if (/JSON/i.test(type)) return '{}'
  if (/CHAR|TEXT|CLOB/i.test(type)) return ''
  if (/INT|BOOL|REAL|FLOA|DOUB|NUM|DEC/i.test(type)) return 0
  return /BLOB/i.test(type) ? new Uint8Array() : undefined
}

export function requiredColumns(db: Database, table: string): Column[] {
  return columnsOf(db, table).filter(({ notnull, dflt_value, pk }) => notnull && dflt_value === null && !pk)
}

export function neutralValues(required: readonly Column[]): Record<string, ColumnValue> {
  return Object.fromEntries(required.map(({ name, type }) => [name, neutralValue(type) ?? '']))
}
