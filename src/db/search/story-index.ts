import { SEARCH_KINDS, type SearchKind } from '../../domain/search/kinds.ts'
import { indexedText } from '../../domain/search/words.ts'
import type { Reader, Writer } from '../database.ts'
import { deleteChapter, updateChapter } from './chapters.ts'
import { deleteOutdatedVectors, deletePassageVectors } from './passage-vectors.ts'
import {
  type FoundRow,
  findRow,
  listRows,
  type Owner,
  ownerTerm,
  ownerTermOf,
  rowidOf,
  rowidRange,
  SOURCES,
} from './searchable-rows.ts'

/**
 * Adds a row to the index, or updates it; vectors and a chapter of its old text are deleted. Must be
 * called in the transaction that wrote the row.
 */
export function indexForSearch(tx: Writer, kind: SearchKind, id: number): void {
  const row = findRow(tx, kind, id)
  if (row === null) return
  if (kind === 'action') {
    const text = row.texts.at(-1) ?? ''
    deleteOutdatedVectors(tx, id)
    updateChapter(tx, { id, adventure_id: row.adventure_id ?? 0, text })
  }
  tx.run(
    'INSERT OR REPLACE INTO search_index (rowid, text, owner) VALUES (?, ?, ?)',
    row.place,
    indexedText(row.texts),
    ownerTermOf(row),
  )
  tx.run('INSERT OR REPLACE INTO search_indexed (place, mark) VALUES (?, ?)', row.place, fingerprintOf(row))
}

/** Everything of an adventure that the index needs, after it was copied. */
export function listRowsOf(reader: Reader, adventureId: number): OutdatedRow[] {
  return SEARCH_KINDS.flatMap((kind) => {
    const { table, adventure } = SOURCES[kind]
    const rows = reader.all<{ id: number }>(`SELECT id FROM ${table} WHERE ${adventure} = ?`, adventureId)
    return rows.map(({ id }) => ({ kind, id }))
  })
}

/** Removes a row from the index. */
export function unindexForSearch(tx: Writer, kind: SearchKind, id: number): void {
  if (kind === 'action') {
    deletePassageVectors(tx, 'id = ?', id)
    deleteChapter(tx, id)
  }
  deleteRowid(tx, rowidOf(kind, id))
}

/** Removes an adventure or a scenario and everything that belonged to it. */
export function unindexOwner(tx: Writer, owner: Owner): void {
  const rowids = 'SELECT rowid FROM search_index WHERE search_index MATCH ?'
  const match = `owner : "${ownerTerm(owner)}"`
  tx.run(`DELETE FROM search_indexed WHERE place IN (${rowids})`, match)
  tx.run(`DELETE FROM search_index WHERE rowid IN (${rowids})`, match)
}

/** A row that the index lacks or has in an older state. */
export interface OutdatedRow {
  kind: SearchKind
  id: number
}

/**
 * Updates the index after another program changed or deleted rows. If more than `limit` rows are to be indexed, they are
 * left: `left` is their number, and `repaired` that of the rows that were updated or deleted. Of actions only the length is
 * compared, because reading all their texts each time the library is opened would take too long.
 */
export function repairSearchIndex(tx: Writer, limit = Infinity): { repaired: number; left: number } {
  tx.run(`DELETE FROM search_indexed WHERE place IN (${MISSING_IN_INDEX})`)
  for (const { place } of tx.all<{ place: number }>(MISSING_IN_INDEXED)) deleteRowid(tx, place)
  const deleted = SEARCH_KINDS.flatMap((kind) => deletedIds(tx, kind).map((id) => ({ kind, id })))
  for (const { kind, id } of deleted) unindexForSearch(tx, kind, id)
  const outdated = listOutdated(tx)
  if (outdated.length > limit) return { repaired: deleted.length, left: outdated.length }
  for (const { kind, id } of outdated) indexForSearch(tx, kind, id)
  emptyEarlierIndex(tx)
  return { repaired: deleted.length + outdated.length, left: 0 }
}

/** Frees what the index of earlier versions holds. They fill it again when they open the library. */
export function emptyEarlierIndex(tx: Writer): void {
  if (tx.get('SELECT 1 FROM search_words_docsize LIMIT 1') !== null)
    tx.run("INSERT INTO search_words (search_words) VALUES ('delete-all')")
  // SQLite would write even where there is none.
  if (tx.get('SELECT 1 FROM search_rows LIMIT 1') !== null) tx.run('DELETE FROM search_rows')
}

/** The rows to index. */
export function listOutdated(reader: Reader): OutdatedRow[] {
  return SEARCH_KINDS.flatMap((kind) => changedIds(reader, kind).map((id) => ({ kind, id })))
}

/** How many rows differ from the index, deleted ones included. */
export function countOutdatedRows(reader: Reader): number {
  const deleted = SEARCH_KINDS.flatMap((kind) => deletedIds(reader, kind))
  const missing = [MISSING_IN_INDEX, MISSING_IN_INDEXED].flatMap((sql) => reader.all(sql))
  return deleted.length + listOutdated(reader).length + missing.length
}

// Both read the rowids from FTS5's docsize table, because selecting them from search_index itself is far slower.
const MISSING_IN_INDEX =
  'SELECT place FROM search_indexed WHERE place NOT IN (SELECT id FROM search_index_docsize)'
const MISSING_IN_INDEXED =
  'SELECT id AS place FROM search_index_docsize WHERE id NOT IN (SELECT place FROM search_indexed)'

/** Indexed passages that another program has rewritten or moved to another story. Must run before `repairSearchIndex`. */
export function listRewritten(reader: Reader): { adventure_id: number; index: number }[] {
  return reader.all(
    `SELECT adventure_id, "index" FROM actions JOIN search_indexed ON place = ? + id WHERE mark IS NOT ${ACTION_FINGERPRINT}`,
    rowidRange('action')[0],
  )
}

function deleteRowid(tx: Writer, rowid: number): void {
  tx.run('DELETE FROM search_index WHERE rowid = ?', rowid)
  tx.run('DELETE FROM search_indexed WHERE place = ?', rowid)
}

/** Stored as `mark` in `search_indexed`, to detect changes. */
function fingerprintOf(row: FoundRow): string {
  const text = row.texts.join('\0')
  const value = row.kind === 'action' ? Buffer.byteLength(text) - 1 : Bun.hash.xxHash32(text)
  return `${ownerTermOf(row)} ${value}`
}

/** `fingerprintOf` for actions, in SQL. */
const ACTION_FINGERPRINT = "'a' || adventure_id || ' ' || octet_length(text)"

function changedIds(reader: Reader, kind: SearchKind): number[] {
  return kind === 'action' ? changedActionIds(reader) : changedRowIds(reader, kind)
}

function changedActionIds(reader: Reader): number[] {
  return reader
    .all<{ id: number }>(
      `SELECT id FROM actions LEFT JOIN search_indexed ON place = ? + id WHERE mark IS NOT ${ACTION_FINGERPRINT} ORDER BY id`,
      rowidRange('action')[0],
    )
    .map(({ id }) => id)
}

function changedRowIds(reader: Reader, kind: SearchKind): number[] {
  const indexed = new Map(
    reader
      .all<{ place: number; mark: string }>(
        'SELECT place, mark FROM search_indexed WHERE place BETWEEN ? AND ?',
        ...rowidRange(kind),
      )
      .map(({ place, mark }) => [place, mark]),
  )
  return listRows(reader, kind)
    .filter((row) => indexed.get(row.place) !== fingerprintOf(row))
    .map(({ id }) => id)
}

/** Of rows that are gone. */
function deletedIds(reader: Reader, kind: SearchKind): number[] {
  const [from, to] = rowidRange(kind)
  return reader
    .all<{ place: number }>(
      `SELECT place FROM search_indexed
        WHERE place BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM ${SOURCES[kind].table} WHERE id = place - ?)`,
      from,
      to,
      from,
    )
    .map(({ place }) => place - from)
}
