import type { Database } from 'bun:sqlite'
import { neutralValue, quoted } from '../declared-columns.ts'
import { STEPS } from '../earlier-release/steps.ts'
import { isTreeColumn, TREE_SCHEMA } from '../earlier-release/tree-schema.ts'
import { LibraryRefused } from '../library-refused.ts'
import {
  allMigrations,
  appliedMigrations,
  BASE_MIGRATION,
  inMemoryLibrary,
  MIGRATIONS_TABLE,
} from './migrate.ts'

/** Tables of removed features. A file need not have them. */
export const UNUSED_TABLES: ReadonlySet<string> = new Set([
  'scripts',
  'scenario_scripts',
  'adventure_scripts',
  'analytics_daily',
  'analytics_visitor_days',
])

/**
 * Throws LibraryRefused unless whatever has the name of a table of ours is such a table, and nothing in it computes, deletes or
 * refuses rows by itself. Reads declarations alone, so nothing of that runs. Tables may lack columns or have more.
 */
export function assertHarmless(db: Database): void {
  const known = knownTables(allMigrations())
  for (const table of readTables(db, [...known.keys()])) {
    const ours = known.get(table.name.toLowerCase())
    if (ours) refuseIf(table, differenceInKind(ours, table) ?? whatActs(db, ours, table))
  }
}

/**
 * Throws LibraryRefused unless the file, at version 45 or later, has each table of ours with each column, as the migrations that it
 * lists declare them or as the earlier release does, and accepts our rows. More columns and tables do no harm.
 */
export function assertDeclared(db: Database): void {
  const applied = appliedMigrations(db)
  const expected = knownTables(applied.length === 0 ? [BASE_MIGRATION] : applied)
  const names = [...knownTables(allMigrations()).keys()]
  const present = new Map(readTables(db, names).map((table) => [table.name.toLowerCase(), table]))
  for (const name of names) {
    const [ours, theirs] = [expected.get(name), present.get(name)]
    if (ours && theirs) refuseIf(theirs, differenceInColumns(ours, theirs))
    else if (theirs) refuseIf(theirs, 'has a name that this version needs for a table of its own')
    else if (ours && !UNUSED_TABLES.has(name) && !OTHER_VERSIONS.has(name))
      throw new LibraryRefused(`Its table ${name} is missing. ${ADVICE}`)
  }
  for (const table of present.values()) refuseIf(table, whatPrevents(db, table))
}

/** Virtual ones included. */
export function ownTables(db: Database): { name: string; isVirtual: boolean }[] {
  return readTables(db, [...knownTables(allMigrations()).keys()]).map(({ name, kind }) => ({
    name,
    isVirtual: kind === 'virtual table',
  }))
}

const OTHER_VERSIONS = new Set(['branches', 'schema_migrations'])

const ADVICE = 'Another program changed it. Restore a backup, or choose another file.'

function refuseIf({ name }: Table, wrong: string | null): void {
  if (wrong !== null) throw new LibraryRefused(`Its table ${name} ${wrong}. ${ADVICE}`)
}

interface Table {
  name: string
  kind: string
  /** The declaration, and the same without comments, texts and quoted names. */
  sql: string
  words: string
  columns: Column[]
  keys: string[]
  /** The references that change rows when others are changed or deleted. */
  cascades: string[]
}

interface Column {
  name: string
  /** Affinity, nullability and part in the key. */
  form: string
  type: string
  isRequired: boolean
  default: string
  isGenerated: boolean
}

/** A table of ours, with every form in which its columns are declared by us or the earlier release. */
interface KnownTable extends Table {
  forms: Map<string, Set<string>>
}

const cache = new Map<string, ReadonlyMap<string, KnownTable>>()

function knownTables(migrations: readonly string[]): ReadonlyMap<string, KnownTable> {
  const key = migrations.join()
  const known = cache.get(key) ?? declareTables(migrations)
  cache.set(key, known)
  return known
}

function declareTables(migrations: readonly string[]): ReadonlyMap<string, KnownTable> {
  using db = inMemoryLibrary(migrations)
  db.run(TREE_SCHEMA)
  db.run(MIGRATIONS_TABLE)
  const names = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const tables = readTables(
    db,
    names.map(({ name }) => name),
  )
  return new Map(
    tables.map((table) => {
      const forms = new Map(table.columns.map(({ name, form }) => [name, new Set([form])]))
      for (const { name, form } of addedByEarlierRelease(table.name)) forms.get(name)?.add(form)
      return [table.name, { ...table, forms }]
    }),
  )
}

/** The columns of a table as the earlier release adds them to an older file. */
function addedByEarlierRelease(name: string): Column[] {
  using db = inMemoryLibrary([BASE_MIGRATION])
  return STEPS.flatMap((step) => {
    if (!('table' in step) || step.table !== name) return []
    db.run(`DROP TABLE IF EXISTS added; CREATE TABLE added (${step.column} ${step.as})`)
    return columnsIn(db, 'added')
  })
}

/** Tables and views of some names, in any letter case. */
function readTables(db: Database, names: readonly string[]): Table[] {
  return db
    .query<{ type: string; name: string; sql: string }, [string]>(
      `SELECT type, name, CAST(sql AS TEXT) AS sql FROM sqlite_schema
        WHERE type IN ('table', 'view') AND sql IS NOT NULL AND lower(name) IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(names))
    .map(({ type, name, sql }) => {
      const words = sql.replace(QUOTED, ' ')
      const kind = KINDS.find(([, pattern]) => pattern.test(words))?.[0] ?? type
      const isPlain = kind !== 'view' && kind !== 'virtual table'
      return {
        name,
        kind,
        sql,
        words,
        columns: isPlain ? columnsIn(db, name) : [],
        keys: isPlain ? keysOf(db, name) : [],
        cascades: isPlain ? cascadesOf(db, name) : [],
      }
    })
}

const QUOTED =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g

const KINDS: readonly [kind: string, pattern: RegExp][] = [
  ['virtual table', /^\s*CREATE\s+VIRTUAL\b/i],
  ['table without rowids', /\bWITHOUT\s+ROWID\b[^)]*$/i],
  ['strict table', /\bSTRICT\b[^)]*$/i],
]

function columnsIn(db: Database, table: string): Column[] {
  const rows = db
    .query<
      { name: string; type: string; notnull: number; dflt_value: string | null; pk: number; hidden: number },
      [string]
    >('SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?)')
    .all(table)
  return rows.map(({ name, type, notnull, dflt_value, pk, hidden }) => ({
    name: name.toLowerCase(),
    // A key of rows is never NULL, whether that is declared or not.
    form: `${affinityOf(type)}, ${pk > 0 ? `part ${pk} of the key` : notnull ? 'never NULL' : 'NULL or not'}`,
    type,
    isRequired: notnull !== 0 && dflt_value === null && pk === 0,
    default: dflt_value ?? 'NULL',
    isGenerated: hidden !== 0,
  }))
}

/** The affinity of a declared type: https://www.sqlite.org/datatype3.html. INTEGER and NUMERIC differ only in casts. */
function affinityOf(type: string): string {
  if (/INT/i.test(type)) return 'a number'
  if (/CHAR|CLOB|TEXT/i.test(type)) return 'a text'
  if (/BLOB/i.test(type) || type === '') return 'a blob'
  return /REAL|FLOA|DOUB/i.test(type) ? 'a real number' : 'a number'
}

function keysOf(db: Database, table: string): string[] {
  return db
    .query<{ columns: string }, [string]>(
      `SELECT (SELECT group_concat(lower(coalesce(name, '?'))) FROM (SELECT name FROM pragma_index_xinfo(list.name)
          WHERE key ORDER BY name)) AS columns FROM pragma_index_list(?) AS list WHERE "unique"`,
    )
    .all(table)
    .map(({ columns }) => columns)
}

function cascadesOf(db: Database, table: string): string[] {
  return db
    .query<{ line: string }, [string]>(
      `SELECT lower("from" || ' to ' || "table" || ' ' || on_delete || ' ' || on_update) AS line
         FROM pragma_foreign_key_list(?) WHERE on_delete <> 'NO ACTION' OR on_update <> 'NO ACTION'`,
    )
    .all(table)
    .map(({ line }) => line)
}

function differenceInKind(ours: Table, theirs: Table): string | null {
  if (ours.kind !== theirs.kind) return `is a ${theirs.kind} and not a ${ours.kind}`
  const isOther = ours.kind === 'virtual table' && argumentsOf(ours) !== argumentsOf(theirs)
  return isOther ? 'is another search index' : null
}

function argumentsOf({ sql }: Table): string {
  return sql.slice(sql.search(/\busing\b/i)).replace(/\s+/g, ' ')
}

/** The part of a table that acts by itself on rows, or on a query of them. */
function whatActs(db: Database, ours: KnownTable, theirs: Table): string | null {
  const { name, words, columns } = theirs
  const [, clause] = CLAUSES.find(([pattern]) => pattern.test(words) && !pattern.test(ours.words)) ?? []
  if (clause) return clause
  const column = columns.find((one) => one.isGenerated || !LITERAL.test(one.default))
  if (column) return `computes the column ${column.name}`
  const index = db
    .query<{ name: string }, [string]>(
      `SELECT name FROM pragma_index_list(?) AS list
        WHERE partial OR EXISTS (SELECT 1 FROM pragma_index_xinfo(list.name) WHERE cid = -2)`,
    )
    .get(name)
  if (index) return `computes the index ${index.name}`
  const cascade = theirs.cascades.find((one) => !ours.cascades.includes(one))
  return cascade === undefined ? null : `has rows that change with those of another one (${cascade})`
}

const CLAUSES: readonly [pattern: RegExp, what: string][] = [
  [/\bCHECK\b/i, 'has a CHECK'],
  [/\bON\s+CONFLICT\b/i, 'has an ON CONFLICT clause'],
  [/\bCOLLATE\b/i, 'has a COLLATE clause'],
]

/** A default that is a number, a text, bytes or a word such as NULL or CURRENT_TIMESTAMP. */
const LITERAL = /^(?:[-+]?[\d.]+(?:e[-+]?\d+)?|0x[\da-f]+|x?'(?:[^']|'')*'|"[^"]*"|[a-z_]+)$/i

function differenceInColumns(ours: KnownTable, theirs: Table): string | null {
  const present = new Map(theirs.columns.map((column) => [column.name, column]))
  for (const { name } of ours.columns) {
    const column = present.get(name)
    const qualified = `${ours.name}.${name}`
    if (!column && !isTreeColumn(ours.name, name) && ours.name !== 'branches')
      return `lacks the column ${qualified}`
    if (column && ours.forms.get(name)?.has(column.form) === false)
      return `has the column ${qualified} in another form (${column.form})`
  }
  const key = theirs.keys.find((columns) => !ours.keys.includes(columns))
  if (key !== undefined) return `accepts no two rows with the same ${key}`
  const unfillable = theirs.columns.find(
    ({ name, type, isRequired }) => isRequired && !ours.forms.has(name) && !isFilled(ours.name, type),
  )
  return unfillable ? `has an unknown column that must not be empty: ${ours.name}.${unfillable.name}` : null
}

function isOfSearch(name: string): boolean {
  const virtual = [...knownTables(allMigrations()).values()].filter(({ kind }) => kind === 'virtual table')
  return virtual.some((one) => `${name.toLowerCase()}_`.startsWith(`${one.name}_`))
}

/** True if our rows get a value for an unknown column of this type: those of the tables of version 45 do. */
function isFilled(table: string, type: string): boolean {
  return knownTables([BASE_MIGRATION]).has(table) && table !== 'branches' && neutralValue(type) !== undefined
}

/** Reason for which SQLite cannot change rows of a table. Statements are prepared and not run. */
function whatPrevents(db: Database, { name }: Table): string | null {
  // Tables of the text search are changed by SQLite alone.
  if (isOfSearch(name)) return null
  try {
    for (const sql of [`INSERT INTO ${quoted(name)} DEFAULT VALUES`, `DELETE FROM ${quoted(name)}`])
      db.prepare(sql).finalize()
    return null
  } catch (error) {
    return `cannot be changed (${error instanceof Error ? error.message : error})`
  }
}
