import type { Found } from '../../app/search.ts'
import { SEARCH_KINDS, type SearchKind } from '../../domain/search/kinds.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Page } from '../layout.tsx'
import { SearchForm } from './search-form.tsx'

export interface SearchProps {
  typed: string
  /** The one kind that is shown; null for all. */
  kind: SearchKind | null
  /** The one story that is searched; null for the library. */
  story: { id: number; title: string } | null
  groups: { kind: SearchKind; items: Found[]; next: number | null }[]
  /** Whether nothing was typed that can be looked for. */
  isEmpty: boolean
}

/** What was found, by kind. */
export function SearchPage(props: SearchProps): Markup {
  const { typed, kind, story, groups, isEmpty } = props
  return (
    <Page title={typed.trim() === '' ? 'Search' : `Search: ${typed}`} place="/search">
      <div class="shelf">
        <h1>Search</h1>
        <SearchForm typed={typed}>
          <div class="row">
            <label>
              <span class="unseen">Kind</span>
              <select name="kind">
                <option value="">Everything</option>
                {SEARCH_KINDS.map((one) => (
                  <option value={one} selected={one === kind}>
                    {NAMES[one]}
                  </option>
                ))}
              </select>
            </label>
            {story ? (
              <label class="check">
                <input type="checkbox" name="adventure" value={String(story.id)} checked />
                Only in “{story.title}”
              </label>
            ) : null}
          </div>
        </SearchForm>
        {isEmpty ? (
          <Hints />
        ) : groups.length === 0 ? (
          <div role="status">
            <p class="lead">Nothing holds all of that.</p>
            <p>
              Try fewer words, or a part of one.{' '}
              {kind || story ? (
                <a href={`/search?${new URLSearchParams({ q: typed })}`}>Look in the whole library</a>
              ) : null}
            </p>
          </div>
        ) : (
          groups.map((group) => <Group {...props} group={group} />)
        )}
      </div>
    </Page>
  )
}

const NAMES: Record<SearchKind, string> = {
  adventure: 'Stories',
  scenario: 'Scenarios',
  story_card: 'Story cards',
  memory: 'Memories',
  action: 'Passages',
}

function Hints(): Markup {
  return (
    <p class="about">
      Finds what holds all of your words, also inside longer words. Put "quotation marks" around words that
      stand together, and a - before what must not be there.
    </p>
  )
}

function Group({
  typed,
  kind,
  story,
  group,
}: SearchProps & { group: SearchProps['groups'][number] }): Markup {
  const more = new URLSearchParams({ q: typed, kind: group.kind })
  if (story) more.set('adventure', String(story.id))
  if (kind && group.next !== null) more.set('before', String(group.next))
  return (
    <section aria-labelledby={`found-${group.kind}`}>
      <h2 id={`found-${group.kind}`}>{NAMES[group.kind]}</h2>
      <ul class="hits">
        {group.items.map(({ title, href, snippet }) => (
          <li>
            <a class="way" href={href}>
              {title}
            </a>
            <p class="snippet">{snippet.map(({ text, hit }) => (hit ? <mark>{text}</mark> : text))}</p>
          </li>
        ))}
      </ul>
      {group.next === null ? null : (
        <p>
          <a class="way" href={`/search?${more}`}>
            {kind ? 'Show earlier ones' : 'Show all'}
          </a>
        </p>
      )}
    </section>
  )
}
