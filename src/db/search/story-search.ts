import type { SearchKind } from '../../domain/search/kinds.ts'
import { asIndexed } from '../../domain/search/words.ts'
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
    `SELECT rowid FROM search_index
      WHERE search_index MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?`,
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

/** Words of which a beginning has at most so many are looked for one by one. */
const MAX_COMPLETIONS = 100

/**
 * The indexed words with a beginning, or null for very many. A search for all of them reads no more than it returns, while
 * FTS5's own search for a beginning first reads every occurrence in the library: "the*" took 60 times as long.
 */
export function listCompletions(reader: Reader, beginning: string): string[] | null {
  const start = asIndexed(beginning)
  const found: string[] = []
  for (let from = start; found.length <= MAX_COMPLETIONS; ) {
    const next = reader.get<{ term: string }>(NEXT_WORD, from)
    if (!next?.term.startsWith(start)) return found
    found.push(next.term)
    // No word of the index has a character below 0, so this comes right behind it.
    from = `${next.term}0`
  }
  return null
}

const NEXT_WORD = 'SELECT term FROM search_vocabulary WHERE term >= ? LIMIT 1'

function isIn(ids: readonly number[], id: number | null): boolean {
  return id !== null && ids.includes(id)
}
