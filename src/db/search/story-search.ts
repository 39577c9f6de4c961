import type { SearchKind } from '../../domain/search/kinds.ts'
import { asIndexed } from '../../domain/search/words.ts'
import type { Reader } from '../database.ts'
import { listHidden } from '../stories/hidden.ts'
import { ALL_ROWIDS, type FoundRow, findRow, kindOfRowid, PER_KIND, rowidRange } from './searchable-rows.ts'
import { isShared, rowsSharing, selectMatches } from './shared-passages.ts'

export interface SearchRange {
  kind?: SearchKind | undefined
  /** Only rows of this adventure. */
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
    (adventure === undefined ? !isShared(reader, row) : row.adventure_id === adventure)
  const rows: FoundRow[] = []
  for (let last = Math.min(to, (before ?? to + 1) - 1); ; ) {
    const [sql, ...values] = selectMatches(reader, expression, adventure, [from, last])
    const places = reader.column<number>(`${sql} ORDER BY place DESC LIMIT ?`, ...values, limit + 1)
    for (const place of places) {
      const row = rowsAt(reader, place).find(isShown)
      if (row === undefined) continue
      if (rows.length === limit) return { rows, hasMore: true }
      rows.push({ ...row, place })
    }
    if (places.length <= limit) return { rows, hasMore: false }
    last = (places.at(-1) ?? from) - 1
  }
}

/** The row of an entry, and those that share it: they are shown while the row itself is being deleted. */
function* rowsAt(reader: Reader, place: number): Generator<FoundRow> {
  const row = findRow(reader, kindOfRowid(place), place % PER_KIND)
  if (row) yield row
  yield* rowsSharing(reader, place)
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
