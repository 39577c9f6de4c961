import { LONGEST_QUERY } from '../../domain/search/query.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'

/** The field to look for words with. `children` are further fields. */
export function SearchForm({ typed = '', children }: { typed?: string; children?: Child }): Markup {
  return (
    <search>
      <form class="search" action="/search">
        <label class="unseen" for="q">
          Search your library
        </label>
        <input
          id="q"
          type="search"
          name="q"
          value={typed}
          maxlength={String(LONGEST_QUERY)}
          placeholder="Search your library"
        />
        {children}
        <button type="submit">Search</button>
      </form>
    </search>
  )
}
