import { type Static, Type } from '@sinclair/typebox'
import type { Reader } from '../db/database.ts'
import type { FoundRow } from '../db/search/searchable-rows.ts'
import { listCompletions, listFound, listSharing, type SearchRange } from '../db/search/story-search.ts'
import { findLanguage } from '../db/tables/adventures.ts'
import { parseQuery, type SearchKind, type SearchQuery, searchExpression } from '../domain/search/query.ts'
import { SnippetPart, snippetOf } from '../domain/search/snippet.ts'
import { LanguageTag } from '../domain/text/language.ts'
import { nullable } from '../lib/typebox.ts'

const SearchResult = Type.Object({
  kind: Type.Unsafe<SearchKind>(Type.String()),
  id: Type.Integer(),
  adventure_id: nullable(Type.Integer()),
  scenario_id: nullable(Type.Integer()),
  title: Type.String({ description: 'Its own title, or that of the story it belongs to' }),
  language: LanguageTag(),
  snippet: Type.Array(SnippetPart, {
    description: 'Plain text in parts; a hit is a part that matches the search',
  }),
  href: Type.String({ description: 'The page that shows it' }),
  branches: Type.Array(Type.Object({ name: Type.String(), href: Type.String() }), {
    description: 'Other branches of its story that have the same passage',
  }),
})

export type SearchResult = Static<typeof SearchResult>

export const SearchPage = Type.Object({
  items: Type.Array(SearchResult, { description: 'By kind, newest first within each kind' }),
  next: nullable(Type.Integer({ description: '`before` of the next page; null on the last page' })),
})

export type SearchPage = Static<typeof SearchPage>

export const SEARCH_LIMITS = { page: 20, longest: 100 } as const

/** Finds texts that match every term of a query. A query without terms finds nothing. */
export function searchLibrary(
  reader: Reader,
  typed: string,
  { limit = SEARCH_LIMITS.page, ...range }: SearchRange & { limit?: number | undefined } = {},
): SearchPage {
  return openSearch(reader, typed)(range, limit)
}

/** Reads a query once, for several pages of results. */
export function openSearch(reader: Reader, typed: string): (range: SearchRange, limit: number) => SearchPage {
  const query = parseQuery(typed)
  const expression = searchExpression(query, (beginning) => listCompletions(reader, beginning))
  return (range, limit) => {
    if (expression === '') return { items: [], next: null }
    const size = Math.min(SEARCH_LIMITS.longest, Math.max(1, limit))
    const { rows, hasMore } = listFound(reader, expression, range, size)
    return {
      items: rows.flatMap((row) => resultOf(reader, row, query) ?? []),
      next: hasMore ? (rows.at(-1)?.place ?? null) : null,
    }
  }
}

// Another program may have changed the row since it was indexed.
function resultOf(reader: Reader, row: FoundRow, query: SearchQuery): SearchResult | null {
  const snippet = snippetOf(row.texts, query)
  if (snippet === null) return null
  const { kind, id, adventure_id, scenario_id, owner_title, texts } = row
  const title = texts[0] || owner_title
  const branches = listSharing(reader, row).map(({ adventure_id, action_id, name }) => ({
    name,
    href: hrefOf({ kind, id: action_id, adventure_id, scenario_id: null }),
  }))
  const language = adventure_id === null ? '' : findLanguage(reader, adventure_id)
  return { kind, id, adventure_id, scenario_id, title, language, snippet, href: hrefOf(row), branches }
}

function hrefOf({
  kind,
  id,
  adventure_id,
  scenario_id,
}: Pick<FoundRow, 'kind' | 'id' | 'adventure_id' | 'scenario_id'>): string {
  if (adventure_id === null) return `/scenarios/${scenario_id}`
  const story = `/adventures/${adventure_id}`
  if (kind === 'action') return `${story}?at=${id}#action-${id}`
  return kind === 'memory' ? `${story}?panel=memory#panel` : `${story}?panel=plot#panel`
}
