import type { Database } from 'bun:sqlite'
import { columnsOf, quoted } from '../../declared-columns.ts'
import { isTreeColumn, TREE_TABLES } from './schema.ts'

interface ForeignKey {
  from: string
  table: string
  to: string | null
  on_delete: string
}

/** Drops the branches and the columns of trees. The tables keep all other columns, those of other programs too. */
export function dropTreeTables(db: Database): void {
  // A column that a foreign key names cannot be dropped from its table.
  for (const table of TREE_TABLES) {
    const columns = columnsOf(db, table).filter(({ name }) => !isTreeColumn(table, name))
    const names = columns.map(({ name }) => quoted(name)).join(', ')
    db.run(`CREATE TABLE converted (${declarations(db, table, columns).join(', ')})`)
    db.run(`INSERT INTO converted (${names}) SELECT ${names} FROM ${table} ORDER BY id`)
    db.run(`DROP TABLE ${table}`)
    db.run(`ALTER TABLE converted RENAME TO ${table}`)
  }
  db.run('DROP TABLE branches')
}

function declarations(db: Database, table: string, columns: ReturnType<typeof columnsOf>): string[] {
  const keys = db
    .query<ForeignKey, [string]>('SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list(?)')
    .all(table)
    .filter(({ from }) => !isTreeColumn(table, from))
  return [
    ...columns.map(({ name, type, notnull, dflt_value, pk }) =>
      [
        quoted(name),
        type,
        notnull ? 'NOT NULL' : '',
        pk ? 'PRIMARY KEY' : '',
        dflt_value === null ? '' : `DEFAULT ${dflt_value}`,
      ]
        .filter((part) => part !== '')
        .join(' '),
    ),
    ...keys.map(
      ({ from, table: target, to, on_delete }) =>
        `FOREIGN KEY (${quoted(from)}) REFERENCES ${quoted(target)} (${quoted(to ?? 'id')}) ON DELETE ${on_delete}`,
    ),
  ]
}
