import { markOf } from '../../lib/hash.ts'
import { outOfBounds } from '../../domain/settings.ts'
import type { Reader } from '../database.ts'
import { passagesIn, passagesMark } from '../tables/memories.ts'
import { pictureHash } from '../tables/scenarios.ts'
import { getSettings } from '../tables/settings.ts'
import { isoTime, readJson } from '../stored.ts'
import { BASE, type Check, rowsOf } from './check.ts'
import { declaredTables } from './declared-schema.ts'

/** Columns that serve removed features and are never read. */
const INERT = new Set([
  'settings.api_key',
  'scenarios.is_public',
  'adventures.script_state',
  'actions.state_before',
])

interface Cells {
  table: string
  /** By which a row is known: `id`, or the row's place where it has none. */
  key: string
  column: string
  type: string
}

/** Every column that is read and that this file has, by what it should hold. */
function columnsLike(reader: Reader, type: RegExp): Cells[] {
  return declaredTables().flatMap(({ name: table, columns, hasRowid }) => {
    const present = new Set(
      reader.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => name),
    )
    const key = columns.some(({ name }) => name === 'id') ? 'id' : hasRowid ? 'rowid' : "'?'"
    return columns
      .filter((column) => type.test(column.type) && present.has(column.name))
      .filter(({ name }) => !INERT.has(`${table}.${name}`))
      .map((column) => ({ table, key, column: `"${column.name}"`, type: column.type }))
  })
}

const KINDS: [type: RegExp, kinds: string][] = [
  [/CHAR|TEXT/, "'text'"],
  [/INT|BOOL/, "'integer'"],
  [/FLOA|REAL/, "'real', 'integer'"],
  [/BLOB/, "'blob'"],
]

/** What is looked at cell by cell. */
export const CELL_CHECKS: readonly Check[] = [
  {
    name: 'kind of a cell',
    since: BASE,
    advice: 'Open what it belongs to and save it anew; if that fails, put a copy back.',
    find: (reader) =>
      KINDS.flatMap(([type, kinds]) =>
        columnsLike(reader, type).flatMap(({ table, key, column }) =>
          wrongIn(
            reader,
            table,
            key,
            column,
            `typeof(${column}) NOT IN ('null', ${kinds})`,
            'hold another kind of value',
          ),
        ),
      ),
  },
  {
    name: 'date',
    since: BASE,
    advice: 'Only the date is lost. It is written anew when that is changed.',
    find: (reader) =>
      [
        ...columnsLike(reader, /DATETIME/),
        ...columnsLike(reader, /TEXT/).filter(({ column }) => /_at"$/.test(column)),
      ].flatMap(({ table, key, column }) => {
        const rows = reader.all<{ id: number; time: unknown }>(
          `SELECT ${key} AS id, ${column} AS time FROM ${table} WHERE ${column} IS NOT NULL`,
        )
        const wrong = rows.filter(({ time }) => typeof time !== 'string' || isoTime(time) === '')
        return wrong.length === 0 ? [] : [`${rowsOf(table, ids(wrong))}: ${column} is no date`]
      }),
  },
  {
    name: 'JSON',
    since: BASE,
    advice: 'What it said is lost to the story, which goes on without it. Put a copy back if you miss it.',
    find: (reader) =>
      jsonColumns(reader).flatMap(({ table, key, column }) => {
        const strict = `typeof(${column}) = 'text' AND json_valid(${column})`
        const doubtful = reader.all<{ id: number; text: unknown }>(
          `SELECT ${key} AS id, ${column} AS text FROM ${table} WHERE ${column} IS NOT NULL AND NOT (${strict})`,
        )
        const unread = doubtful.filter(({ text }) => typeof text !== 'string' || readJson(text) === null)
        const shape = column === '"variants"' ? 'array' : 'object'
        const misshapen = wrongIn(
          reader,
          table,
          key,
          column,
          `CASE WHEN ${strict} THEN json_type(${column}) NOT IN ('null', '${shape}') END`,
          `hold JSON that is no ${shape === 'array' ? 'list' : 'object'}`,
        )
        return unread.length === 0
          ? misshapen
          : [...misshapen, `${rowsOf(table, ids(unread))}: ${column} cannot be read`]
      }),
  },
  {
    name: 'settings',
    since: '0008-servers.sql',
    advice: 'Save the settings anew.',
    find: (reader) =>
      outOfBounds(getSettings(reader)).map((field) => `settings: ${field} is out of its bounds`),
  },
  {
    name: 'mark of a picture',
    since: '0002-story.sql',
    advice: 'Choose the picture again on the page of the scenario.',
    find: (reader) => {
      const rows = reader.all<{ id: number; image: string; image_hash: string }>(
        "SELECT id, image, image_hash FROM scenarios WHERE image_hash <> ''",
      )
      const wrong = rows.filter(({ image, image_hash }) => pictureHash(image) !== image_hash)
      return wrong.length === 0
        ? []
        : [`${rowsOf('scenarios', ids(wrong))}: browsers may show an old picture`]
    },
  },
  {
    name: 'text of a prompt',
    since: '0002-story.sql',
    advice:
      'Insights shows another prompt there than was sent. The next turns are told with what it says now.',
    find: (reader) => {
      const rows = reader.all<{ id: number; hash: string; text: string }>(
        'SELECT adventure_id AS id, hash, text FROM prompt_parts',
      )
      const wrong = new Set(ids(rows.filter(({ hash, text }) => markOf(text) !== hash)))
      return wrong.size === 0
        ? []
        : [`${rowsOf('prompts of adventures', [...wrong])}: keep a text that has changed`]
    },
  },
  {
    name: 'stale memory',
    since: '0005-memory.sql',
    advice: 'Change a word of the passage, or write the memory anew.',
    find: (reader) => {
      const rows = reader.all<{ id: number; adventure_id: number; start: number; end: number; mark: string }>(
        `SELECT id, adventure_id, source_start AS start, source_end AS end, source_hash AS mark FROM memories
          WHERE NOT stale AND source_hash IS NOT NULL AND source_start IS NOT NULL AND source_end IS NOT NULL`,
      )
      const wrong = rows.filter(
        ({ adventure_id, start, end, mark }) =>
          passagesMark(passagesIn(reader, adventure_id, start, end)) !== mark,
      )
      return wrong.length === 0
        ? []
        : [`${rowsOf('memories', ids(wrong))}: tell of passages that have changed since`]
    },
  },
]

/** Cells that the earlier release left as no strict reader takes them. They are no fault, and stay as they are. */
export function laxCells(reader: Reader): string[] {
  return [...laxJson(reader), ...unusedVectors(reader)]
}

function unusedVectors(reader: Reader): string[] {
  if (!reader.get("SELECT 1 FROM pragma_table_info('memories') WHERE name = 'embedding'")) return []
  return wrongIn(
    reader,
    'memories',
    'id',
    '"embedding"',
    'embedding IS NOT NULL',
    'hold a vector of the earlier release that is no list of numbers; it is not used',
  )
}

function laxJson(reader: Reader): string[] {
  return jsonColumns(reader).flatMap(({ table, key, column }) =>
    wrongIn(
      reader,
      table,
      key,
      column,
      `typeof(${column}) = 'text' AND NOT json_valid(${column})`,
      'hold JSON that is not strict; Inglenook reads it all the same',
    ),
  )
}

function jsonColumns(reader: Reader): Cells[] {
  return [
    ...columnsLike(reader, /JSON/),
    ...columnsLike(reader, /TEXT/).filter(({ column }) => column === '"prompt_notes"'),
  ]
}

function wrongIn(
  reader: Reader,
  table: string,
  key: string,
  column: string,
  wrong: string,
  what: string,
): string[] {
  const rows = reader.all<{ id: number }>(`SELECT ${key} AS id FROM ${table} WHERE ${wrong}`)
  return rows.length === 0 ? [] : [`${rowsOf(table, ids(rows))}: ${column} ${what}`]
}

function ids(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id)
}
