import { type AdventureListItem, SHELVES, type Shelf } from '../../domain/adventure.ts'
import { withParameter } from '../flash.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { type FormFields, idFrom } from '../respond.tsx'

/** The parameter with the moved stories and their former shelves: `12-pinned.7-open`. */
const NAME = 'moved'
/** More would not fit into an address. */
const MAX_STORIES = 100

/** The address of a page that offers to put stories back; without stories, one that offers nothing. */
export function withUndo(path: string, stories: readonly AdventureListItem[]): string {
  const places = stories.map(({ id, shelf }) => `${id}-${shelf}`)
  return withParameter(path, NAME, places.length > MAX_STORIES ? '' : places.join('.'))
}

/** Null if the address names no stories. */
export function UndoMove({ query }: { query: Record<string, string | undefined> }): Markup | null {
  const moved = query[NAME]?.split('.').map((place) => place.split('-')) ?? []
  const known = moved.filter(([id, shelf]) => idFrom(id) > 0 && shelfFrom(shelf))
  if (known.length === 0) return null
  return (
    <form method="post" action="/adventures/selected">
      {known.map(
        ([id, shelf]): Child => (
          <input type="hidden" name={`story:${id}`} value={shelf} />
        ),
      )}
      <button type="submit" name="do" value="undo">
        Undo
      </button>
    </form>
  )
}

export function storiesIn(fields: FormFields): { id: number; shelf: Shelf }[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    name.startsWith('story:') ? [{ id: idFrom(name.slice(6)), shelf: shelfFrom(value) ?? 'open' }] : [],
  )
}

export function shelfFrom(name: string | undefined): Shelf | undefined {
  return SHELVES.find((known) => known === name)
}
