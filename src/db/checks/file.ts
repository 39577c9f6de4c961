import type { Reader } from '../database.ts'
import { allMigrations } from '../library/migrate.ts'
import { BASE, type DoctorCheck, RESTORE, rowFinding, unlessDamaged } from './check.ts'
import { columnNames } from './columns.ts'
import { declaredNames, declaredTables } from './declared-schema.ts'

/** Checks of the file as a whole. `applied` are its migrations. */
export function fileChecks(applied: ReadonlySet<string>): DoctorCheck[] {
  const migrations = allMigrations().filter((name) => applied.has(name))
  return [
    {
      name: 'integrity',
      since: BASE,
      advice: RESTORE,
      find: (reader) => integrityErrors(reader).map((line) => `the file is damaged: ${line}`),
    },
    {
      name: 'migrations',
      since: BASE,
      advice: RESTORE,
      find: () => findSkippedMigrations(applied),
    },
    {
      name: 'tables and indexes',
      since: BASE,
      advice: RESTORE,
      find: (reader) => findMissingTables(reader, migrations),
    },
    {
      name: 'triggers',
      since: BASE,
      advice:
        'Inglenook has no triggers. Another program added them, and they run on every write. Find out which program it was.',
      find: findTriggers,
    },
    {
      name: 'orphans',
      since: BASE,
      advice:
        'They belong to something that was deleted, so no page shows them. Nothing else is lost. If Inglenook does not start, restore a backup.',
      find: (reader) => findOrphans(reader, migrations),
    },
  ]
}

// A file may be so damaged that the integrity check itself fails.
function integrityErrors(reader: Reader): string[] {
  return unlessDamaged(['a page cannot be read'], () =>
    reader
      .column<string>('PRAGMA integrity_check(20)')
      .map((line) => line.replaceAll('\n', ' ').trim())
      .filter((line) => line !== 'ok'),
  )
}

function findSkippedMigrations(applied: ReadonlySet<string>): string[] {
  const all = allMigrations()
  return all
    .filter((name) => !applied.has(name) && all.some((later) => later > name && applied.has(later)))
    .map((name) => `the migration ${name} is missing, but later ones were applied`)
}

function findMissingTables(reader: Reader, migrations: readonly string[]): string[] {
  const present = new Set(reader.column<string>('SELECT name FROM sqlite_schema'))
  const missingColumns = declaredTables(migrations).flatMap(({ name: table, columns }) => {
    const existing = columnNames(reader, table)
    return columns
      .filter(({ name }) => existing.size > 0 && !existing.has(name))
      .map(({ name }) => `the column ${table}.${name} is missing`)
  })
  return [
    ...declaredNames(migrations)
      .filter(({ name }) => !present.has(name))
      .map(({ type, name }) => `the ${type} ${name} is missing`),
    ...missingColumns,
  ]
}

function findTriggers(reader: Reader): string[] {
  const count = reader.value<number>("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") ?? 0
  return count === 0 ? [] : [`another program added triggers (${count})`]
}

function findOrphans(reader: Reader, migrations: readonly string[]): string[] {
  return declaredTables(migrations).flatMap(({ name: table, columns, parents }) => {
    const existing = columnNames(reader, table)
    const key = columns.some(({ name }) => name === 'id') ? 'id' : 'adventure_id'
    return parents
      .filter(({ column }) => existing.has(column))
      .flatMap(({ column, table: parent, to }) => {
        const orphans = reader.all<{ id: number }>(
          `SELECT DISTINCT ${existing.has(key) ? key : column} AS id FROM ${table}
            WHERE ${column} IS NOT NULL AND ${column} NOT IN (SELECT ${to} FROM ${parent})`,
        )
        return rowFinding(table, orphans, `${column} refers to a missing row`)
      })
  })
}
