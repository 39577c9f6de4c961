import type { SearchKind } from '../../domain/search/kinds.ts'
import type { Reader } from '../database.ts'
import { listHidden } from '../stories/hidden.ts'
import {
  ALL_ROWIDS,
  type FoundRow,
  findRow,
  kindOfRowid,
  ownerTerm,
  PER_KIND,
  rowidRange,
} from './searchable-rows.ts'

export interface SearchRange {
  kind?: SearchKind | undefined
  /** Only rows of this adventure. */
  adventure?: number | undefined
  /** Only rows below this cursor: the `place` of the last result of the previous page. */
  before?: number | undefined
}

/**
 * At most `limit` matching rows, by kind and then newest first, and whether there are more. `expression` comes from
 * `searchExpression`.
 */
export function listFound(
  reader: Reader,
  expression: string,
  { kind, adventure, before }: SearchRange,
  limit: number,
): { rows: FoundRow[]; hasMore: boolean } {
  const [from, to] = kind ? rowidRange(kind) : ALL_ROWIDS
  const owner = adventure === undefined ? '' : `owner : "${ownerTerm({ adventure })}" AND `
  const matches = reader.all<{ rowid: number }>(
    `SELECT rowid FROM search_words
      WHERE search_words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?`,
    `${owner}text : (${expression})`,
    from,
    Math.min(to, (before ?? to + 1) - 1),
    limit + 1,
  )
  const hidden = listHidden(reader)
  const rows = matches
    .slice(0, limit)
    .flatMap(({ rowid }) => findRow(reader, kindOfRowid(rowid), rowid % PER_KIND) ?? [])
    .filter(
      ({ adventure_id, scenario_id }) =>
        !isIn(hidden.adventures, adventure_id) && !isIn(hidden.scenarios, scenario_id),
    )
  return { rows, hasMore: matches.length > limit }
}

function isIn(ids: readonly number[], id: number | null): boolean {
  return id !== null && ids.includes(id)
}
