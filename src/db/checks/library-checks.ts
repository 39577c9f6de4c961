import type { Reader } from '../database.ts'
import { quoted } from '../declared-columns.ts'
import { allMigrations } from '../library/migrate.ts'
import { countOutdatedRows } from '../search/story-index.ts'
import { type DoctorFinding, RESTORE, unlessDamaged } from './check.ts'

interface LibraryCheck {
  name: string
  /** The migration that added what is checked; '' for what every library has. */
  since: string
  advice: string
  /** One phrase for each finding. `applied` are the migrations of the file. */
  find(reader: Reader, applied: readonly string[]): string[]
}

const CHECKS: readonly LibraryCheck[] = [
  { name: 'integrity', since: '', advice: RESTORE, find: integrityErrors },
  { name: 'migrations', since: '', advice: RESTORE, find: findSkippedMigrations },
  {
    name: 'orphans',
    since: '',
    advice:
      'They belong to something that was deleted, so no page shows them. Nothing else is lost. If Inglenook does not start, restore a backup.',
    find: findOrphans,
  },
  {
    name: 'search index',
    since: '0018-search-by-words.sql',
    advice: 'Start Inglenook: it updates the index when it opens the library.',
    find: (reader) => {
      const { different } = countOutdatedRows(reader)
      return different === 0 ? [] : [`the search index is out of date for ${different} rows`]
    },
  },
]

/** World states are checked by `auditAdventure`. */
export function listFindings(reader: Reader, applied: readonly string[]): DoctorFinding[] {
  const failed: string[] = []
  const findings = CHECKS.filter(({ since }) => since === '' || applied.includes(since)).flatMap(
    ({ name, advice, find }) => {
      try {
        return find(reader, applied).map((what) => ({ check: name, what, advice }))
      } catch {
        // The error is not reported, because its message may quote a cell.
        failed.push(name)
        return []
      }
    },
  )
  if (failed.length === 0) return findings
  const what = `these checks could not be run: ${failed.join(', ')}`
  return [...findings, { check: 'unreadable', what, advice: RESTORE }]
}

/** JSON of the earlier release that strict readers refuse. It is no error. */
export function nonStrictJson(reader: Reader): string[] {
  const columns = reader.all<{ table: string; column: string }>(
    `SELECT tables.name AS "table", columns.name AS "column" FROM pragma_table_list AS tables
        JOIN pragma_table_info(tables.name) AS columns
      WHERE tables.schema = 'main' AND tables.type = 'table' AND columns.type LIKE '%JSON%'`,
  )
  return columns.flatMap(({ table, column }) => {
    const cell = quoted(column)
    const rows = reader.all<{ id: number }>(
      `SELECT rowid AS id FROM ${quoted(table)} WHERE typeof(${cell}) = 'text' AND NOT json_valid(${cell})`,
    )
    const what = `${cell} is not strict JSON: NaN and Infinity count as null, and what cannot be read as missing`
    return rowsPhrase(table, rows, what)
  })
}

// A file may be so damaged that the check itself fails.
function integrityErrors(reader: Reader): string[] {
  return unlessDamaged(['a page cannot be read'], () =>
    reader
      .column<string>('PRAGMA integrity_check(20)')
      .map((line) => line.replaceAll('\n', ' ').trim())
      .filter((line) => line !== 'ok'),
  ).map((line) => `the file is damaged: ${line}`)
}

function findSkippedMigrations(_: Reader, applied: readonly string[]): string[] {
  const newest = applied.toSorted().at(-1) ?? ''
  return allMigrations()
    .filter((name) => name < newest && !applied.includes(name))
    .map((name) => `the migration ${name} is missing, but later ones were applied`)
}

function findOrphans(reader: Reader): string[] {
  const rows = reader.all<{ table: string; column: string; id: number | null }>(
    `SELECT orphan."table", reference."from" AS "column", orphan.rowid AS id FROM pragma_foreign_key_check AS orphan
       JOIN pragma_foreign_key_list(orphan."table") AS reference ON reference.id = orphan.fkid`,
  )
  const groups = Map.groupBy(rows, ({ table, column }) => `${table} ${column}`)
  return [...groups.values()].flatMap((group) =>
    rowsPhrase(group[0]?.table ?? '', group, `${group[0]?.column} refers to a missing row`),
  )
}

const MAX_LISTED = 5

/** A phrase about some rows, `actions 3, 4 and 12 more: the ...`; [] if there are none. */
function rowsPhrase(table: string, rows: readonly { id: unknown }[], what: string): string[] {
  if (rows.length === 0) return []
  const listed = rows.slice(0, MAX_LISTED).map(({ id }) => id ?? '?')
  const more = rows.length - listed.length
  return [`${table} ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${what}`]
}
