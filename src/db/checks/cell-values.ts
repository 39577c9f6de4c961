import { outOfBounds } from '../../domain/settings.ts'
import { hashOf } from '../../lib/hash.ts'
import { isoTime, parseColumn } from '../column-values.ts'
import type { Reader } from '../database.ts'
import { listPassages, passagesHash } from '../tables/actions/passages.ts'
import { pictureHash } from '../tables/scenarios.ts'
import { findStoredSettings } from '../tables/settings.ts'
import { BASE, type DoctorCheck, rowFinding } from './check.ts'
import { type CheckedColumn, cellFinding, columnsOfType, jsonColumns } from './columns.ts'

const CHANGED_PROMPT =
  'Insights shows a different prompt from the one that was sent. The next turns use the changed text.'

export const CELL_CHECKS: readonly DoctorCheck[] = [
  {
    name: 'type of a value',
    since: BASE,
    advice: 'Open the page that it belongs to and save it again. If that fails, restore a backup.',
    find: findWrongTypes,
  },
  {
    name: 'date',
    since: BASE,
    advice: 'Only the date is lost. The next change of the row writes a new one.',
    find: findWrongDates,
  },
  {
    name: 'JSON',
    since: BASE,
    advice: 'The story goes on without this value. Restore a backup if you need it.',
    find: (reader) => jsonColumns(reader).flatMap((cells) => findWrongJson(reader, cells)),
  },
  {
    name: 'settings',
    since: '0008-servers.sql',
    advice: 'Save the settings again.',
    find: (reader) =>
      outOfBounds(findStoredSettings(reader)).map((field) => `settings: ${field} is out of range`),
  },
  {
    name: 'picture hash',
    since: '0002-story.sql',
    advice: 'Choose the cover again on the page of the scenario.',
    find: findWrongPictureHashes,
  },
  {
    name: 'prompt text hash',
    since: '0002-story.sql',
    advice: CHANGED_PROMPT,
    find: (reader) =>
      findWrongPromptTexts(
        reader,
        "SELECT adventure_id AS id, hash, text FROM prompt_parts WHERE text <> ''",
      ),
  },
  {
    name: 'shared prompt text hash',
    since: '0037-shared-prompts.sql',
    advice: CHANGED_PROMPT,
    find: (reader) =>
      findWrongPromptTexts(
        reader,
        `SELECT adventure_id AS id, own.hash, coalesce(shared.text, '') AS text
           FROM prompt_parts own LEFT JOIN shared_prompt_parts shared USING (hash) WHERE own.text = ''`,
      ),
  },
  {
    name: 'stale memory',
    since: '0005-memory.sql',
    advice: 'Edit one of the passages, or rewrite the memory.',
    find: findUnmarkedStaleMemories,
  },
]

const STORAGE_TYPES: [declared: RegExp, allowed: string][] = [
  [/CHAR|TEXT/, "'text'"],
  [/INT|BOOL/, "'integer'"],
  [/FLOA|REAL/, "'real', 'integer'"],
  [/BLOB/, "'blob'"],
]

function findWrongTypes(reader: Reader): string[] {
  return STORAGE_TYPES.flatMap(([declared, allowed]) =>
    columnsOfType(reader, declared).flatMap((cells) => {
      const isWrong = `typeof(${cells.column}) NOT IN ('null', ${allowed})`
      return cellFinding(reader, cells, isWrong, 'has a value of the wrong type')
    }),
  )
}

function findWrongDates(reader: Reader): string[] {
  const dates = [
    ...columnsOfType(reader, /DATETIME/),
    ...columnsOfType(reader, /TEXT/).filter(({ column }) => /_at"$/.test(column)),
  ]
  return dates.flatMap(({ table, key, column }) => {
    const rows = reader.all<{ id: number; time: unknown }>(
      `SELECT ${key} AS id, ${column} AS time FROM ${table} WHERE ${column} IS NOT NULL`,
    )
    const wrong = rows.filter(({ time }) => typeof time !== 'string' || isoTime(time) === '')
    return rowFinding(table, wrong, `${column} is not a date`)
  })
}

function findWrongJson(reader: Reader, cells: CheckedColumn): string[] {
  const { table, key, column } = cells
  const isStrict = `typeof(${column}) = 'text' AND json_valid(${column})`
  const nonStrict = reader.all<{ id: number; text: unknown; type: string }>(
    `SELECT ${key} AS id, ${column} AS text, typeof(${column}) AS type FROM ${table} WHERE ${column} IS NOT NULL AND NOT (${isStrict})`,
  )
  const unreadable = nonStrict.filter(
    ({ text, type }) => type !== 'text' || typeof text !== 'string' || parseColumn(text) === null,
  )
  const shape = column === '"variants"' ? 'array' : 'object'
  const hasWrongShape = `CASE WHEN ${isStrict} THEN json_type(${column}) NOT IN ('null', '${shape}') END`
  return [
    ...cellFinding(reader, cells, hasWrongShape, `is not a JSON ${shape}`),
    ...rowFinding(table, unreadable, `${column} cannot be read`),
  ]
}

function findWrongPictureHashes(reader: Reader): string[] {
  const rows = reader.all<{ id: number; image: string; image_hash: string }>(
    "SELECT id, image, image_hash FROM scenarios WHERE image_hash <> ''",
  )
  const wrong = rows.filter(({ image, image_hash }) => pictureHash(image) !== image_hash)
  return rowFinding('scenarios', wrong, 'browsers may show an old cover')
}

function findWrongPromptTexts(reader: Reader, select: string): string[] {
  const rows = reader.all<{ id: number; hash: string; text: string }>(select)
  const wrong = new Set(rows.filter(({ hash, text }) => hashOf(text) !== hash).map(({ id }) => id))
  return rowFinding(
    'prompts of adventures',
    [...wrong].map((id) => ({ id })),
    'a stored text has changed',
  )
}

function findUnmarkedStaleMemories(reader: Reader, unfinished: ReadonlySet<unknown>): string[] {
  const rows = reader.all<{ id: number; adventure_id: number; start: number; end: number; hash: string }>(
    `SELECT id, adventure_id, source_start AS start, source_end AS end, source_hash AS hash FROM memories
      WHERE NOT stale AND source_hash IS NOT NULL AND source_start IS NOT NULL AND source_end IS NOT NULL`,
  )
  const wrong = rows.filter(
    ({ adventure_id, start, end, hash }) =>
      !unfinished.has(adventure_id) && passagesHash(listPassages(reader, adventure_id, start, end)) !== hash,
  )
  return rowFinding('memories', wrong, 'the passages have changed since the memory was made')
}
