import type { Reader } from '../database.ts'
import { allMigrations } from '../library/migrate.ts'
import { BASE, type Check, PUT_BACK, rowsOf, unlessDamaged } from './check.ts'
import { declaredNames, declaredTables } from './declared-schema.ts'

const REPEATED = 'Nothing else is lost. If Inglenook does not start with it, put a copy back.'

/** What is looked at in the file as a whole. `taken` are the steps that it has. */
export function fileChecks(taken: ReadonlySet<string>): Check[] {
  const steps = allMigrations().filter((name) => taken.has(name))
  return [
    {
      name: 'integrity',
      since: BASE,
      advice: PUT_BACK,
      find: (reader) => integrityOf(reader).map((line) => `the file is damaged: ${line}`),
    },
    {
      name: 'steps',
      since: BASE,
      advice: PUT_BACK,
      find: () =>
        allMigrations()
          .filter((name) => !taken.has(name) && steps.some((later) => later > name))
          .map((name) => `the step ${name} is missing, and later ones are there`),
    },
    {
      name: 'tables and indexes',
      since: BASE,
      advice: PUT_BACK,
      find: (reader) => {
        const present = new Set(
          reader.all<{ name: string }>('SELECT name FROM sqlite_schema').map(({ name }) => name),
        )
        const columns = declaredTables(steps).flatMap(({ name: table, columns }) => {
          const there = columnNames(reader, table)
          return columns
            .filter(({ name }) => there.size > 0 && !there.has(name))
            .map(({ name }) => `the column ${table}.${name} is missing`)
        })
        return [
          ...declaredNames(steps)
            .filter(({ name }) => !present.has(name))
            .map(({ type, name }) => `the ${type} ${name} is missing`),
          ...columns,
        ]
      },
    },
    {
      name: 'triggers',
      since: BASE,
      advice:
        'Inglenook has none: another program has put them there, and they run whenever something is written. Find out which one.',
      find: (reader) => {
        const { count } = reader.get<{ count: number }>(
          "SELECT count(*) AS count FROM sqlite_schema WHERE type = 'trigger'",
        ) ?? { count: 0 }
        return count === 0 ? [] : [`the file has ${count} triggers of another program`]
      },
    },
    {
      name: 'orphans',
      since: BASE,
      advice: `What they belonged to is gone, so no page shows them. ${REPEATED}`,
      find: (reader) =>
        declaredTables(steps).flatMap(({ name: table, columns, parents }) => {
          const key = columns.some(({ name }) => name === 'id') ? 'id' : 'adventure_id'
          return parents
            .filter(({ column }) => columnNames(reader, table).has(column))
            .flatMap(({ column, table: parent, to }) => {
              const orphans = reader.all<{ id: number }>(
                `SELECT DISTINCT ${columnNames(reader, table).has(key) ? key : column} AS id FROM ${table}
                  WHERE ${column} IS NOT NULL AND ${column} NOT IN (SELECT ${to} FROM ${parent})`,
              )
              const ids = orphans.map(({ id }) => id)
              return ids.length === 0 ? [] : [`${rowsOf(table, ids)}: ${column} names nothing`]
            })
        }),
    },
  ]
}

// A file may be so damaged that the check itself stops.
function integrityOf(reader: Reader): string[] {
  return unlessDamaged(['a page cannot be read'], () =>
    reader
      .all<{ integrity_check: string }>('PRAGMA integrity_check(20)')
      .map(({ integrity_check }) => integrity_check.replaceAll('\n', ' ').trim())
      .filter((line) => line !== 'ok'),
  )
}

function columnNames(reader: Reader, table: string): Set<string> {
  const columns = reader.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table)
  return new Set(columns.map(({ name }) => name))
}
