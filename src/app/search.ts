import type { Reader } from '../db/database.ts'
import { type FoundRow, listFound, type SearchRange } from '../db/search.ts'
import type { SearchKind } from '../domain/search/kinds.ts'
import { type Query, readQuery, searchExpression } from '../domain/search/query.ts'
import { type SnippetPart, snippetOf } from '../domain/search/snippet.ts'

/** Something that was found, and where it can be looked at. */
export interface Found {
  kind: SearchKind
  id: number
  adventure_id: number | null
  scenario_id: number | null
  title: string
  snippet: SnippetPart[]
  href: string
}

export interface SearchPage {
  /** By kind; in each the newest first. */
  items: Found[]
  /** Where the search goes on: the next page's `before`. Null when this is all. */
  next: number | null
}

export const FOUND = { page: 20, longest: 100 } as const

/** What holds all that a player typed. A query in which nothing can be looked for finds nothing. */
export function search(
  reader: Reader,
  typed: string,
  { limit = FOUND.page, ...range }: SearchRange & { limit?: number | undefined } = {},
): SearchPage {
  const query = readQuery(typed)
  const expression = searchExpression(query)
  if (expression === '') return { items: [], next: null }
  const size = Math.min(FOUND.longest, Math.max(1, limit))
  const { rows, hasMore } = listFound(reader, expression, range, size)
  return {
    items: rows.flatMap((row) => foundIn(row, query) ?? []),
    next: hasMore ? (rows.at(-1)?.place ?? null) : null,
  }
}

// A row that was changed behind our back may no longer hold what the index says.
function foundIn(row: FoundRow, query: Query): Found | null {
  const snippet = snippetOf(row.texts, query)
  if (snippet === null) return null
  const { kind, id, adventure_id, scenario_id, owner_title, texts } = row
  const title = texts[0] || owner_title
  return { kind, id, adventure_id, scenario_id, title, snippet, href: hrefOf(row) }
}

function hrefOf({ kind, id, adventure_id, scenario_id }: FoundRow): string {
  if (adventure_id === null) return `/scenarios/${scenario_id}`
  const story = `/adventures/${adventure_id}`
  if (kind === 'action') return `${story}?at=${id}#action-${id}`
  return kind === 'memory' ? `${story}?panel=memory#panel` : `${story}?panel=plot#panel`
}
