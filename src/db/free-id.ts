import { quoted, type Reader } from './database.ts'

/**
 * An id for a new row that no row has, and that no row refers to whose own was deleted: SQLite gives ids again, and where
 * another program has deleted a story without what belongs to it, a new one would take that for its own.
 */
export function freeId(reader: Reader, table: 'adventures' | 'scenarios'): number {
  const references = reader.all<{ child: string; column: string }>(
    `SELECT DISTINCT child.name AS child, key."from" AS "column"
       FROM sqlite_schema AS child, pragma_foreign_key_list(child.name) AS key
      WHERE child.type = 'table' AND key."table" = ?`,
    table,
  )
  const isReferredTo = (id: number) =>
    references.some(
      ({ child, column }) =>
        reader.get(`SELECT 1 FROM ${quoted(child)} WHERE ${quoted(column)} = ? LIMIT 1`, id) !== null,
    )
  let id = (reader.get<{ last: number | null }>(`SELECT max(id) AS last FROM ${table}`)?.last ?? 0) + 1
  while (isReferredTo(id)) id++
  return id
}
