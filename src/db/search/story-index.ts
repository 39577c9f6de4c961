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
import { findToldEntry, fingerprintSql, rowsSharing } from './shared-passages.ts'

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
    const entry = findToldEntry(tx, id)
    leaveToSharing(tx, row.place, entry === null ? text : null)
    if (entry !== null) {
      shareEntry(tx, row, entry)
      return
    }
  }
  insertEntry(tx, row)
}

function shareEntry(tx: Writer, row: FoundRow, entry: number): void {
  deleteRowid(tx, row.place)
  tx.run(
    'INSERT INTO search_shared (place, mark, entry) VALUES (?, ?, ?)',
    row.place,
    fingerprintOf(row),
    entry,
  )
}

function insertEntry(tx: Writer, row: FoundRow): void {
  tx.run(
    'INSERT OR REPLACE INTO search_index (rowid, text, owner) VALUES (?, ?, ?)',
    row.place,
    indexedText(row.texts),
    ownerTermOf(row),
  )
  tx.run('INSERT OR REPLACE INTO search_indexed (place, mark) VALUES (?, ?)', row.place, fingerprintOf(row))
  tx.run('DELETE FROM search_shared WHERE place = ?', row.place)
}

/**
 * Before an entry gets another text, or is deleted (null): the first passage that shares it gets its own, which the others
 * share from now on.
 */
function leaveToSharing(tx: Writer, entry: number, text: string | null): void {
  const [heir] = rowsSharing(tx, entry)
  if (heir === undefined || heir.texts.at(-1) === text) return
  insertEntry(tx, heir)
  tx.run('UPDATE search_shared SET entry = ? WHERE entry = ?', heir.place, entry)
}

/** Everything of an adventure that the index needs, after it was copied. */
export function listRowsOf(reader: Reader, adventureId: number): OutdatedRow[] {
  return SEARCH_KINDS.flatMap((kind) => {
    const { table, adventure } = SOURCES[kind]
    const ids = reader.column<number>(`SELECT id FROM ${table} WHERE ${adventure} = ?`, adventureId)
    return ids.map((id) => ({ kind, id }))
  })
}

/** Removes a row from the index. */
export function unindexForSearch(tx: Writer, kind: SearchKind, id: number): void {
  if (kind === 'action') {
    deletePassageVectors(tx, 'id = ?', id)
    deleteChapter(tx, id)
    leaveToSharing(tx, rowidOf(kind, id), null)
  }
  deleteRowid(tx, rowidOf(kind, id))
}

/** Removes an adventure or a scenario and everything that belongs to it. Must be called before it is deleted. */
export function unindexOwner(tx: Writer, owner: Owner): void {
  const rowids = 'SELECT rowid FROM search_index WHERE search_index MATCH ?'
  const match = `owner : "${ownerTerm(owner)}"`
  if ('adventure' in owner) {
    const own = 'SELECT id FROM actions WHERE adventure_id = ?'
    tx.run(`DELETE FROM search_shared WHERE place IN (${own})`, owner.adventure)
    const shared = `SELECT DISTINCT entry FROM search_shared WHERE entry IN (${rowids})`
    for (const entry of tx.column<number>(shared, match)) leaveToSharing(tx, entry, null)
  }
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
  for (const place of tx.column<number>(MISSING_IN_INDEXED)) deleteRowid(tx, place)
  tx.run(`DELETE FROM search_shared WHERE place IN (${SHARED_IN_VAIN})`)
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
  return SEARCH_KINDS.flatMap((kind) => changedRows(reader, kind).map(({ id }) => ({ kind, id })))
}

/**
 * How many rows are not in the index yet, as after a stop before they were indexed, and how many differ from it, deleted ones
 * included.
 */
export function countOutdatedRows(reader: Reader): { missing: number; different: number } {
  const changed = SEARCH_KINDS.flatMap((kind) => changedRows(reader, kind))
  const missing = changed.filter(({ mark }) => mark === null).length
  const deleted = SEARCH_KINDS.flatMap((kind) => deletedIds(reader, kind))
  const halves = [MISSING_IN_INDEX, MISSING_IN_INDEXED, SHARED_IN_VAIN].flatMap((sql) => reader.all(sql))
  return { missing, different: changed.length - missing + deleted.length + halves.length }
}

// Both read the rowids from FTS5's docsize table, because selecting them from search_index itself is far slower.
const MISSING_IN_INDEX =
  'SELECT place FROM search_indexed WHERE place NOT IN (SELECT id FROM search_index_docsize)'
const MISSING_IN_INDEXED =
  'SELECT id AS place FROM search_index_docsize WHERE id NOT IN (SELECT place FROM search_indexed)'
/**
 * Shared passages that have an entry of their own, by an earlier version, or share that of a passage that another program has
 * deleted or an earlier version has changed.
 */
const SHARED_IN_VAIN = `SELECT place FROM search_shared WHERE place IN (SELECT place FROM search_indexed) OR NOT EXISTS
  (SELECT 1 FROM search_indexed own JOIN actions ON id = entry
    WHERE own.place = entry AND substr(own.mark, instr(own.mark, ' ')) = substr(search_shared.mark, instr(search_shared.mark, ' ')))`

/** Indexed passages that another program has rewritten or moved to another story. Must run before `repairSearchIndex`. */
export function listRewritten(reader: Reader): { adventure_id: number; index: number }[] {
  return reader.all(
    `SELECT adventure_id, "index" FROM ${MARKED_ACTIONS} WHERE ${ACTION_MARK} <> ${ACTION_FINGERPRINT}`,
  )
}

function deleteRowid(tx: Writer, rowid: number): void {
  tx.run('DELETE FROM search_index WHERE rowid = ?', rowid)
  tx.run('DELETE FROM search_indexed WHERE place = ?', rowid)
  tx.run('DELETE FROM search_shared WHERE place = ?', rowid)
}

/** Stored as `mark`, to detect changes. It begins with the owner. */
function fingerprintOf(row: FoundRow): string {
  const text = row.texts.join('\0')
  const value = row.kind === 'action' ? Buffer.byteLength(text) - 1 : Bun.hash.xxHash32(text)
  return `${ownerTermOf(row)} ${value}`
}

const MARKED_ACTIONS = `actions LEFT JOIN search_indexed own ON own.place = id LEFT JOIN search_shared shared ON shared.place = id`
const ACTION_MARK = 'coalesce(own.mark, shared.mark)'
/** `fingerprintOf` for actions, in SQL. */
const ACTION_FINGERPRINT = fingerprintSql('actions')

/** A row whose index entry is outdated; one without an entry has no mark. */
interface ChangedRow {
  id: number
  mark: string | null
}

function changedRows(reader: Reader, kind: SearchKind): ChangedRow[] {
  if (kind === 'action')
    return reader.all(
      `SELECT id, ${ACTION_MARK} AS mark FROM ${MARKED_ACTIONS} WHERE ${ACTION_MARK} IS NOT ${ACTION_FINGERPRINT} ORDER BY id`,
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

/** Of rows that are gone. */
function deletedIds(reader: Reader, kind: SearchKind): number[] {
  const [from, to] = rowidRange(kind)
  return reader.column(
    `SELECT place - ?3 FROM (SELECT place FROM search_indexed UNION ALL SELECT place FROM search_shared)
      WHERE place BETWEEN ?1 AND ?2 AND NOT EXISTS (SELECT 1 FROM ${SOURCES[kind].table} WHERE id = place - ?3)`,
    from,
    to,
    from,
  )
}
