import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import { WRITE_PRAGMAS } from '../../../src/db/connections.ts'
import { upgrade } from '../../../src/db/library/upgrade.ts'
import { faultsForTheEarlierRelease } from '../../support/earlier/reader.ts'
import { VECTOR, writeEarlierLibrary } from '../../support/earlier/release.ts'
import { MADE_AT, TABLES } from '../../support/earlier/schema.ts'

type Row = Record<string, unknown>
type Rows = Record<string, Row[]>

/** Possible settings of a player, with values that a migration once changed. */
const TOUCHED = 'UPDATE settings SET context_token_budget = 4096, memory_bank_capacity = 200'

/** Every version that a file can have, with each version at which it may have been created. */
const lineages = [
  ...MADE_AT.flatMap((at) => MADE_AT.filter((born) => born <= at).map((born) => ({ born, at }))),
  // Intermediate versions within one transaction; a file of such a version is accepted as well.
  ...Array.from({ length: 33 }, (_, i) => ({ born: 12, at: 13 + i })).filter(
    ({ at }) => !MADE_AT.some((one) => one === at),
  ),
]

describe('a library of the earlier release keeps every row, whatever its version', () => {
  for (const { born, at } of lineages)
    test(born === at ? `made at ${at}` : `made at ${born} and brought to ${at}`, () => {
      using db = new Database(':memory:', { strict: true })
      for (const pragma of WRITE_PRAGMAS) db.run(`PRAGMA ${pragma}`)
      writeEarlierLibrary(db, { version: at, born, laterTables: at % 2 === 0, also: TOUCHED })
      const before = rowsIn(db)
      upgrade(db)
      const after = rowsIn(db)
      for (const [table, rows] of Object.entries(before))
        expect([table, after[table]?.map((row, i) => keptOf(row, rows[i] ?? {}))]).toEqual([
          table,
          rows.map((row) => broughtForward(table, row, at)),
        ])
      expect(faultsForTheEarlierRelease(db)).toEqual([])
      expectAdded(after, at)
    })
})

/** Every row of the tables that the earlier release knew. */
function rowsIn(db: Database): Rows {
  const tables = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const own = tables.map(({ name }) => name).filter((name) => name in TABLES || /analytics|access/.test(name))
  return Object.fromEntries(own.map((name) => [name, db.query<Row, []>(`SELECT * FROM ${name}`).all()]))
}

/** The current values of a row's original columns, with the prompt decompressed. */
function keptOf(row: Row, before: Row): Row {
  return Object.fromEntries(
    Object.keys(row)
      .filter((name) => name in before || name === 'context_snapshot')
      .map((name) => [name, plain(name, row[name])]),
  )
}

function plain(name: string, value: unknown): unknown {
  return name.startsWith('context_snapshot') && value instanceof Uint8Array
    ? inflateSync(value).toString()
    : value
}

/** The same row after the later migrations: only what they change in old values. */
function broughtForward(table: string, row: Row, at: number): Row {
  const changed = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(name, value)]))
  if (table === 'settings') {
    if (at < 29) changed.context_token_budget = 16_384
    if (at < 41) changed.memory_bank_capacity = 80
  }
  if (table === 'memories') {
    if ('embedding_blob' in row && at >= 38 && at < 40) changed.embedded = Number(row.embedding_blob !== null)
    if (!('embedded' in row)) delete changed.embedded
    delete changed.embedding
  }
  if (table === 'actions') {
    changed.context_snapshot ??= changed.context_snapshot_z ?? null
    delete changed.context_snapshot_z
  }
  const owned = { scenarios: 15, scripts: 18, adventures: 20, settings: 22 }[table] ?? 0
  if (at < owned && 'user_id' in row) changed.user_id = 1
  return changed
}

/** The added values that the migrations derived from existing ones. */
function expectAdded(after: Rows, at: number): void {
  expect(after.users).toHaveLength(1)
  expect(after.adventures?.map(({ user_id }) => user_id)).toEqual([1, 1])
  expect(after.scripts?.map(({ user_id }) => user_id)).toEqual([1])
  expect(after.scenarios?.map(({ user_id }) => user_id)).toEqual([1, 1, at < 15 ? 1 : null])
  expect(after.memories?.map(({ embedding_blob, embedded }) => [floats(embedding_blob), embedded])).toEqual([
    [VECTOR, 1],
    [null, 0],
    [null, 0],
  ])
  const told = after.actions?.find(({ id }) => id === 3)
  const applied = { delta: { 'player.hp': -10 }, applied: [{ path: 'player.hp', old: 100, new: 90 }] }
  expect(told?.world_delta === null ? null : JSON.parse(String(told?.world_delta))).toEqual(
    at < 28 ? null : applied,
  )
  const last = after.actions?.find(({ id }) => id === 14)
  expect([last?.variant_count, last?.variant_index]).toEqual(at < 35 ? [0, 0] : [3, 1])
}

function floats(blob: unknown): number[] | null {
  return blob instanceof Uint8Array ? [...new Float32Array(blob.slice().buffer)] : null
}
