import type { SearchKind } from '../../domain/search/query.ts'
import { asIndexed } from '../../domain/search/words.ts'
import type { Reader } from '../database.ts'
import { listHidden } from '../stories/hidden.ts'
import {
  ALL_ROWIDS,
  type FoundRow,
  findRow,
  kindOfRowid,
  PER_KIND,
  rowidRange,
  textExpression,
} from './searchable-rows.ts'

export interface SearchRange {
  kind?: SearchKind | undefined
  adventure?: number | undefined
  /** Only rows below this cursor: the `place` of the last result of the previous page. */
  before?: number | undefined
}

/**
 * At most `limit` matching rows, by kind and then newest first, and whether there are more. `expression` comes from
 * `searchExpression`. A passage that branches share is found once, in the branch in which it was played, unless only one is searched.
 */
export function listFound(
  reader: Reader,
  expression: string,
  { kind, adventure, before }: SearchRange,
  limit: number,
): { rows: FoundRow[]; hasMore: boolean } {
  const [from, to] = kind ? rowidRange(kind) : ALL_ROWIDS
  const hidden = listHidden(reader)
  const isShown = (row: FoundRow) =>
    !isIn(hidden.adventures, row.adventure_id) &&
    !isIn(hidden.scenarios, row.scenario_id) &&
    (adventure === undefined || row.adventure_id === adventure)
  const rows: FoundRow[] = []
  const sql = `SELECT rowid FROM search_index WHERE search_index MATCH ? AND rowid BETWEEN ? AND ?
    ${adventure === undefined ? `AND NOT EXISTS (${SHARED_PASSAGE})` : ''} ORDER BY rowid DESC LIMIT ?`
  const match = textExpression(expression, adventure)
  for (let last = Math.min(to, (before ?? to + 1) - 1); ; ) {
    const places = reader.column<number>(sql, match, from, last, limit + 1)
    for (const place of places) {
      const row = findRow(reader, kindOfRowid(place), place % PER_KIND)
      if (row === null || !isShown(row)) continue
      if (rows.length === limit) return { rows, hasMore: true }
      rows.push(row)
    }
    if (places.length <= limit) return { rows, hasMore: false }
    last = (places.at(-1) ?? from) - 1
  }
}

/** The passage of an entry, if the adventure that its branch grew from has it too, word for word. */
const SHARED_PASSAGE = `SELECT 1 FROM actions own JOIN adventures branch ON branch.id = own.adventure_id
    JOIN adventures origin ON origin.id = branch.branched_from AND origin.family = branch.family AND origin.importing IS NULL
    JOIN actions told ON told.adventure_id = origin.id AND told."index" = own."index" AND told.text = own.text
  WHERE own.id = search_index.rowid AND own."index" <= branch.branched_at`

interface SharingBranch {
  adventure_id: number
  action_id: number
  /** Its name, or its title if it has none. */
  name: string
}

export function listSharing(reader: Reader, { kind, id }: FoundRow): SharingBranch[] {
  if (kind !== 'action') return []
  return reader.all<SharingBranch>(
    `SELECT branch.id AS adventure_id, shared.id AS action_id, coalesce(nullif(branch.branch_name, ''), branch.title) AS name
       FROM actions own JOIN adventures teller ON teller.id = own.adventure_id
       JOIN adventures branch ON branch.family = teller.family AND branch.id <> teller.id AND branch.importing IS NULL
       JOIN actions shared ON shared.adventure_id = branch.id AND shared."index" = own."index" AND shared.text = own.text
      WHERE own.id = ? ORDER BY branch.id`,
    id,
  )
}

/** Words with the same beginning that are looked for one by one. */
const MAX_COMPLETIONS = 100

/**
 * The indexed words with a beginning, or null for very many. A search for all of them reads no more than it returns, while
 * FTS5's own search for a beginning first reads every occurrence in the library: "the*" took 60 times as long.
 */
export function listCompletions(reader: Reader, beginning: string): string[] | null {
  const start = asIndexed(beginning)
  const found: string[] = []
  for (let from = start; found.length <= MAX_COMPLETIONS; ) {
    const next = reader.value<string>(NEXT_WORD, from)
    if (!next?.startsWith(start)) return found
    found.push(next)
    // No word of the index has a character below 0, so this comes right behind it.
    from = `${next}0`
  }
  return null
}

const NEXT_WORD = 'SELECT term FROM search_vocabulary WHERE term >= ? LIMIT 1'

function isIn(ids: readonly number[], id: number | null): boolean {
  return id !== null && ids.includes(id)
}
