import type { App } from '../../app/app.ts'
import { openSearch, SEARCH_LIMITS } from '../../app/search-library.ts'
import { findAdventure } from '../../db/tables/adventures.ts'
import { parseQuery, SEARCH_KINDS } from '../../domain/search/query.ts'
import { idFrom } from '../respond.tsx'
import type { SearchProps } from './search.tsx'

/** Results of each kind while all kinds are shown. */
const FEW = 8

export function searchProps(app: App, query: Record<string, string | undefined>): SearchProps {
  const { reader } = app
  const typed = query.q ?? ''
  const kind = SEARCH_KINDS.find((one) => one === query.kind)
  const story = findAdventure(reader, idFrom(query.adventure))
  const before = query.before === undefined ? undefined : idFrom(query.before)
  const search = openSearch(reader, typed)
  const groups = (kind ? [kind] : SEARCH_KINDS).map((one) => {
    const limit = kind ? SEARCH_LIMITS.page : FEW
    const range = { kind: one, adventure: story?.id, before: kind && before }
    return { kind: one, ...search(range, limit) }
  })
  return {
    typed,
    kind: kind ?? null,
    story: story && { id: story.id, title: story.title },
    groups: groups.filter(({ items }) => items.length > 0),
    indexing: app.indexing.progress,
    isEmpty: parseQuery(typed).wanted.length === 0,
  }
}
