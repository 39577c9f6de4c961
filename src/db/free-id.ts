import type { Reader } from './database.ts'
import { quoted } from './declared-columns.ts'

/** Neither in use nor referenced: SQLite reuses ids, and rows of a deleted story may have stayed. */
export function freeId(reader: Reader, table: 'adventures' | 'scenarios'): number {
  const references = reader.all<{ child: string; column: string }>(
    `SELECT DISTINCT child.name AS child, key."from" AS "column"
       FROM sqlite_schema AS child, pragma_foreign_key_list(child.name) AS key
      WHERE child.type = 'table' AND key."table" = ?`,
    table,
  )
  const isReferenced = (id: number) =>
    references.some(
      ({ child, column }) =>
        reader.get(`SELECT 1 FROM ${quoted(child)} WHERE ${quoted(column)} = ? LIMIT 1`, id) !== null,
    )
  let id = (reader.value<number>(`SELECT max(id) FROM ${table}`) ?? 0) + 1
  while (isReferenced(id)) id++
  return id
}
