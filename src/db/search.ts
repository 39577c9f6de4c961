import { indexedText } from '../domain/search/trigrams.ts'
import { SEARCH_KINDS, type SearchKind } from '../domain/search/kinds.ts'
import type { Reader, Writer } from './database.ts'

/** A row that was found, with its texts; its own title or name is the first of them, '' where it has none. */
export interface FoundRow {
  kind: SearchKind
  id: number
  /** Where it stands among all that can be found; a search goes on below it. */
  place: number
  adventure_id: number | null
  scenario_id: number | null
  /** Of the adventure or scenario that it belongs to. */
  owner_title: string
  texts: string[]
}

export interface SearchRange {
  kind?: SearchKind | undefined
  /** Only what belongs to this adventure. */
  adventure?: number | undefined
  /** Only what stands below this place. */
  before?: number | undefined
}

/**
 * At most `limit` rows that match, by kind and then the newest first, and whether there are more. `expression` is one
 * that `searchExpression` wrote.
 */
export function listFound(
  reader: Reader,
  expression: string,
  { kind, adventure, before }: SearchRange,
  limit: number,
): { rows: FoundRow[]; hasMore: boolean } {
  const [from, to] = kind ? rangeOf(kind) : EVERYTHING
  const owner = adventure === undefined ? '' : `owner : "${ownerTerm({ adventure })}" AND `
  const places = reader.all<{ place: number }>(
    `SELECT rowid AS place FROM search_words
      WHERE search_words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?`,
    `${owner}text : (${expression})`,
    from,
    Math.min(to, (before ?? to + 1) - 1),
    limit + 1,
  )
  const rows = places
    .slice(0, limit)
    .flatMap(({ place }) => findRow(reader, kindAt(place), place % PER_KIND) ?? [])
  return { rows, hasMore: places.length > limit }
}

/** Reads a row into the index as it is now. Called in the transaction that wrote the row. */
export function indexForSearch(tx: Writer, kind: SearchKind, id: number): void {
  const row = findRow(tx, kind, id)
  if (row === null) return
  tx.run(
    'INSERT OR REPLACE INTO search_words (rowid, text, owner) VALUES (?, ?, ?)',
    row.place,
    indexedText(row.texts),
    ownerOf(row),
  )
  tx.run('INSERT OR REPLACE INTO search_rows (place, mark) VALUES (?, ?)', row.place, markOf(row))
}

/** Reads all that belongs to an adventure into the index, after it was copied or brought. */
export function indexAdventure(tx: Writer, adventureId: number): void {
  for (const kind of SEARCH_KINDS) {
    const { table, adventure } = SOURCES[kind]
    const rows = tx.all<{ id: number }>(`SELECT id FROM ${table} WHERE ${adventure} = ?`, adventureId)
    for (const { id } of rows) indexForSearch(tx, kind, id)
  }
}

/** Takes a row out of the index. */
export function unindexForSearch(tx: Writer, kind: SearchKind, id: number): void {
  unindexPlace(tx, placeOf(kind, id))
}

/** Takes out an adventure or a scenario with all that belonged to it. */
export function unindexOwner(tx: Writer, owner: Owner): void {
  const places = 'SELECT rowid FROM search_words WHERE search_words MATCH ?'
  const match = `owner : "${ownerTerm(owner)}"`
  tx.run(`DELETE FROM search_rows WHERE place IN (${places})`, match)
  tx.run(`DELETE FROM search_words WHERE rowid IN (${places})`, match)
}

/**
 * Reads into the index what another program has written, and takes out what it has deleted. Gives the number of rows.
 * Of actions only the length is compared: their texts are far too many to be read at every opening.
 */
export function keepSearchIndex(tx: Writer): number {
  // What the index has lost is read again; what only it has goes.
  tx.run(`DELETE FROM search_rows WHERE place IN (${UNWRITTEN})`)
  for (const { place } of tx.all<{ place: number }>(UNLISTED)) unindexPlace(tx, place)
  const counts = SEARCH_KINDS.map((kind) => {
    const gone = placesGone(tx, kind)
    for (const place of gone) unindexPlace(tx, place)
    const changed = kind === 'action' ? changedActions(tx) : changedRows(tx, kind)
    for (const id of changed) indexForSearch(tx, kind, id)
    return gone.length + changed.length
  })
  return counts.reduce((sum, count) => sum + count)
}

/** How many rows the index does not know as they are; those that are gone count too. */
export function countUnsearched(reader: Reader): number {
  const counts = SEARCH_KINDS.map((kind) => {
    const changed = kind === 'action' ? changedActions(reader) : changedRows(reader, kind)
    return placesGone(reader, kind).length + changed.length
  })
  return [...counts, reader.all(UNWRITTEN).length, reader.all(UNLISTED).length].reduce(
    (sum, one) => sum + one,
  )
}

// The places that the text index itself holds; asked of the index as a whole, SQLite would be far slower.
const UNWRITTEN = 'SELECT place FROM search_rows WHERE place NOT IN (SELECT id FROM search_words_docsize)'
const UNLISTED =
  'SELECT id AS place FROM search_words_docsize WHERE id NOT IN (SELECT place FROM search_rows)'

/** The passages that were in the index and say something else now, or belong to another story: as `keepSearchIndex` sees it. */
export function listRewritten(reader: Reader): { adventure_id: number; index: number }[] {
  return reader.all(
    `SELECT adventure_id, "index" FROM actions JOIN search_rows ON place = ? + id WHERE mark IS NOT ${ACTION_MARK}`,
    rangeOf('action')[0],
  )
}

type Owner = { adventure: number } | { scenario: number }

interface Source {
  table: string
  adventure: string
  scenario: string
  /** The columns that are searched; the first is the title or name, '' for none. */
  texts: [title: string, ...string[]]
}

const SOURCES: Record<SearchKind, Source> = {
  adventure: {
    table: 'adventures',
    adventure: 'adventures.id',
    scenario: 'NULL',
    texts: ['title', 'memory', 'authors_note', 'ai_instructions', 'story_summary'],
  },
  scenario: {
    table: 'scenarios',
    adventure: 'NULL',
    scenario: 'scenarios.id',
    texts: ['title', 'description', 'prompt', 'memory', 'authors_note', 'ai_instructions', 'tags'],
  },
  story_card: {
    table: 'story_cards',
    adventure: 'story_cards.adventure_id',
    scenario: 'story_cards.scenario_id',
    texts: ['name', 'keys', 'entry', 'notes'],
  },
  memory: { table: 'memories', adventure: 'memories.adventure_id', scenario: 'NULL', texts: ["''", 'text'] },
  action: { table: 'actions', adventure: 'actions.adventure_id', scenario: 'NULL', texts: ["''", 'text'] },
}

/** Ids of one kind; the places of kinds lie behind each other, the first kind highest. */
const PER_KIND = 2 ** 40
const EVERYTHING: [from: number, to: number] = [0, SEARCH_KINDS.length * PER_KIND - 1]

function rangeOf(kind: SearchKind): [from: number, to: number] {
  const from = (SEARCH_KINDS.length - 1 - SEARCH_KINDS.indexOf(kind)) * PER_KIND
  return [from, from + PER_KIND - 1]
}

function placeOf(kind: SearchKind, id: number): number {
  return rangeOf(kind)[0] + id
}

function kindAt(place: number): SearchKind {
  return SEARCH_KINDS[SEARCH_KINDS.length - 1 - Math.floor(place / PER_KIND)] ?? 'action'
}

function ownerTerm(owner: Owner): string {
  return 'adventure' in owner ? `<${owner.adventure}>` : `{${owner.scenario}}`
}

function ownerOf({ adventure_id, scenario_id }: FoundRow): string {
  return ownerTerm(adventure_id === null ? { scenario: scenario_id ?? 0 } : { adventure: adventure_id })
}

function unindexPlace(tx: Writer, place: number): void {
  tx.run('DELETE FROM search_words WHERE rowid = ?', place)
  tx.run('DELETE FROM search_rows WHERE place = ?', place)
}

type SourceRow = Pick<FoundRow, 'id' | 'adventure_id' | 'scenario_id' | 'owner_title'> &
  Record<`text${number}`, string>

function findRow(reader: Reader, kind: SearchKind, id: number): FoundRow | null {
  const row = reader.get<SourceRow>(`${selectFrom(kind)} WHERE id = ?`, id)
  return row && fromRow(kind, row)
}

function selectFrom(kind: SearchKind): string {
  const { table, adventure, scenario, texts } = SOURCES[kind]
  const columns = texts.map((column, i) => `coalesce(${column}, '') AS text${i}`).join(', ')
  return `SELECT id, ${adventure} AS adventure_id, ${scenario} AS scenario_id, ${columns},
      coalesce((SELECT a.title FROM adventures a WHERE a.id = ${adventure}),
               (SELECT s.title FROM scenarios s WHERE s.id = ${scenario}), '') AS owner_title
    FROM ${table}`
}

function fromRow(kind: SearchKind, row: SourceRow): FoundRow {
  const { id, adventure_id, scenario_id, owner_title } = row
  const texts = SOURCES[kind].texts.map((_, i) => row[`text${i}`] ?? '')
  return { kind, id, place: placeOf(kind, id), adventure_id, scenario_id, owner_title, texts }
}

function markOf(row: FoundRow): string {
  const text = row.texts.join('\0')
  return `${ownerOf(row)} ${row.kind === 'action' ? Buffer.byteLength(text) - 1 : Bun.hash.xxHash32(text)}`
}

const ACTION_MARK = "'<' || adventure_id || '> ' || octet_length(text)"

function changedActions(reader: Reader): number[] {
  return reader
    .all<{ id: number }>(
      `SELECT id FROM actions LEFT JOIN search_rows ON place = ? + id WHERE mark IS NOT ${ACTION_MARK} ORDER BY id`,
      rangeOf('action')[0],
    )
    .map(({ id }) => id)
}

function changedRows(reader: Reader, kind: SearchKind): number[] {
  const marks = new Map(
    reader
      .all<{ place: number; mark: string }>(
        'SELECT place, mark FROM search_rows WHERE place BETWEEN ? AND ?',
        ...rangeOf(kind),
      )
      .map(({ place, mark }) => [place, mark]),
  )
  return reader
    .all<SourceRow>(`${selectFrom(kind)} ORDER BY id`)
    .map((row) => fromRow(kind, row))
    .filter((row) => marks.get(row.place) !== markOf(row))
    .map(({ id }) => id)
}

function placesGone(reader: Reader, kind: SearchKind): number[] {
  const [from, to] = rangeOf(kind)
  return reader
    .all<{ place: number }>(
      `SELECT place FROM search_rows
        WHERE place BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM ${SOURCES[kind].table} WHERE id = place - ?)`,
      from,
      to,
      from,
    )
    .map(({ place }) => place)
}
