import { LONGEST_QUERY } from '../../domain/search/query.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'

/** `children` are further fields. */
export function SearchForm({ typed = '', children }: { typed?: string; children?: Child }): Markup {
  return (
    <search>
      <form class="search" action="/search">
        <SearchField label="Search your library" typed={typed} />
        {children}
        <button type="submit">Search</button>
      </form>
    </search>
  )
}

export function SearchField({ label, typed }: { label: string; typed: string }): Markup {
  return (
    <>
      <label class="unseen" for="q">
        {label}
      </label>
      <input
        id="q"
        type="search"
        dir="auto"
        translate="no"
        name="q"
        value={typed}
        maxlength={String(LONGEST_QUERY)}
        placeholder={label}
      />
    </>
  )
}
