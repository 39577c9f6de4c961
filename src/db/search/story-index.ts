import { SEARCH_KINDS, type SearchKind } from '../../domain/search/query.ts'
import { indexedText } from '../../domain/search/words.ts'
import type { Reader, Writer } from '../database.ts'
import { deleteChapter, updateChapter } from './chapters.ts'
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
import { deleteOutdatedVectors, deleteVector } from './text-vectors.ts'

/** Deletes vectors and a chapter of the old text, too. Part of the transaction that wrote the row. */
export function indexForSearch(tx: Writer, kind: SearchKind, id: number): void {
  const row = findRow(tx, kind, id)
  if (row === null) return
  deleteOutdatedVectors(tx, row.place)
  if (kind === 'action')
    updateChapter(tx, { id, adventure_id: row.adventure_id ?? 0, text: row.texts.at(-1) ?? '' })
  tx.run(
    'INSERT OR REPLACE INTO search_index (rowid, text, owner) VALUES (?, ?, ?)',
    row.place,
    indexedText(row.texts),
    ownerTermOf(row),
  )
  tx.run('INSERT OR REPLACE INTO search_indexed (place, mark) VALUES (?, ?)', row.place, fingerprintOf(row))
}

export function listRowsOf(reader: Reader, adventureId: number): OutdatedRow[] {
  return SEARCH_KINDS.flatMap((kind) => {
    const { table, adventure } = SOURCES[kind]
    const ids = reader.column<number>(`SELECT id FROM ${table} WHERE ${adventure} = ?`, adventureId)
    return ids.map((id) => ({ kind, id }))
  })
}

export function unindexForSearch(tx: Writer, kind: SearchKind, id: number): void {
  if (kind === 'action') deleteChapter(tx, id)
  deleteVector(tx, rowidOf(kind, id))
  deleteRowid(tx, rowidOf(kind, id))
}

/** Removes an adventure or a scenario and everything that belongs to it. Must be called before it is deleted. */
export function unindexOwner(tx: Writer, owner: Owner): void {
  const rowids = 'SELECT rowid FROM search_index WHERE search_index MATCH ?'
  const match = `owner : "${ownerTerm(owner)}"`
  tx.run(`DELETE FROM search_indexed WHERE place IN (${rowids})`, match)
  tx.run(`DELETE FROM search_index WHERE rowid IN (${rowids})`, match)
}

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
  for (const place of tx.column<number>(MISSING_IN_INDEXED)) deleteRowid(tx, place)
  const deleted = SEARCH_KINDS.flatMap((kind) => deletedIds(tx, kind).map((id) => ({ kind, id })))
  for (const { kind, id } of deleted) unindexForSearch(tx, kind, id)
  const outdated = listOutdated(tx)
  if (outdated.length > limit) return { repaired: deleted.length, left: outdated.length }
  for (const { kind, id } of outdated) indexForSearch(tx, kind, id)
  return { repaired: deleted.length + outdated.length, left: 0 }
}

export function listOutdated(reader: Reader): OutdatedRow[] {
  return SEARCH_KINDS.flatMap((kind) => changedRows(reader, kind).map(({ id }) => ({ kind, id })))
}

/** Numbers of rows that are not in the index yet, and of rows that differ from it, deleted ones included. */
export function countOutdatedRows(reader: Reader): { missing: number; different: number } {
  const changed = SEARCH_KINDS.flatMap((kind) => changedRows(reader, kind))
  const missing = changed.filter(({ mark }) => mark === null).length
  const deleted = SEARCH_KINDS.flatMap((kind) => deletedIds(reader, kind))
  const halves = [MISSING_IN_INDEX, MISSING_IN_INDEXED].flatMap((sql) => reader.all(sql))
  return { missing, different: changed.length - missing + deleted.length + halves.length }
}

// Both read the rowids from FTS5's docsize table, because selecting them from search_index itself is far slower.
const MISSING_IN_INDEX =
  'SELECT place FROM search_indexed WHERE place NOT IN (SELECT id FROM search_index_docsize)'
const MISSING_IN_INDEXED =
  'SELECT id AS place FROM search_index_docsize WHERE id NOT IN (SELECT place FROM search_indexed)'

/** Indexed passages that another program has rewritten or moved to another story. Must run before `repairSearchIndex`. */
export function listRewritten(reader: Reader): { adventure_id: number; index: number }[] {
  return reader.all(`SELECT adventure_id, "index" FROM ${MARKED_ACTIONS} WHERE mark <> ${ACTION_FINGERPRINT}`)
}

function deleteRowid(tx: Writer, rowid: number): void {
  tx.run('DELETE FROM search_index WHERE rowid = ?', rowid)
  tx.run('DELETE FROM search_indexed WHERE place = ?', rowid)
}

/** Stored as `mark`, to detect changes. It begins with the owner. */
function fingerprintOf(row: FoundRow): string {
  const text = row.texts.join('\0')
  const value = row.kind === 'action' ? Buffer.byteLength(text) - 1 : Bun.hash.xxHash32(text)
  return `${ownerTermOf(row)} ${value}`
}

const MARKED_ACTIONS = 'actions LEFT JOIN search_indexed ON place = id'
/** `fingerprintOf` for actions, in SQL. */
const ACTION_FINGERPRINT = "'a' || adventure_id || ' ' || octet_length(text)"

/** `mark` is null for a row without an index entry. */
interface ChangedRow {
  id: number
  mark: string | null
}

function changedRows(reader: Reader, kind: SearchKind): ChangedRow[] {
  if (kind === 'action')
    return reader.all(
      `SELECT id, mark FROM ${MARKED_ACTIONS} WHERE mark IS NOT ${ACTION_FINGERPRINT} ORDER BY id`,
    )
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
    .map(({ id, place }) => ({ id, mark: indexed.get(place) ?? null }))
}

function deletedIds(reader: Reader, kind: SearchKind): number[] {
  const [from, to] = rowidRange(kind)
  return reader.column(
    `SELECT place - ?3 FROM search_indexed
      WHERE place BETWEEN ?1 AND ?2 AND NOT EXISTS (SELECT 1 FROM ${SOURCES[kind].table} WHERE id = place - ?3)`,
    from,
    to,
    from,
  )
}
