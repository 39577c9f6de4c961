import type { Deps } from '../../app/deps.ts'
import { FOUND, search } from '../../app/search.ts'
import { findAdventure } from '../../db/tables/adventures.ts'
import { SEARCH_KINDS } from '../../domain/search/kinds.ts'
import { readQuery } from '../../domain/search/query.ts'
import { idFrom } from '../respond.tsx'
import type { SearchProps } from './search.tsx'

/** Of each kind while all are shown; the rest is a link away. */
const FEW = 8

/** What the search page shows for its address. */
export function searchProps(deps: Deps, query: Record<string, string | undefined>): SearchProps {
  const { reader } = deps.library
  const typed = query.q ?? ''
  const kind = SEARCH_KINDS.find((one) => one === query.kind)
  const story = findAdventure(reader, idFrom(query.adventure))
  const before = query.before === undefined ? undefined : idFrom(query.before)
  const groups = (kind ? [kind] : SEARCH_KINDS).map((one) => {
    const limit = kind ? FOUND.page : FEW
    const range = { kind: one, adventure: story?.id, before: kind && before }
    return { kind: one, ...search(reader, typed, { ...range, limit }) }
  })
  return {
    typed,
    kind: kind ?? null,
    story: story && { id: story.id, title: story.title },
    groups: groups.filter(({ items }) => items.length > 0),
    isEmpty: readQuery(typed).wanted.length === 0,
  }
}
