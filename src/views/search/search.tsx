import type { SearchResult } from '../../app/search-library.ts'
import type { JobProgress } from '../../app/worker/worker-job.ts'
import { SEARCH_KINDS, type SearchKind } from '../../domain/search/query.ts'
import { withoutLineMark } from '../../domain/text/player-line.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Page } from '../layout.tsx'
import { attributesOfText } from '../prose/prose.tsx'
import { Select } from '../ui/field.tsx'
import { percentOf } from '../ui/format-number.ts'
import { SearchForm } from './search-form.tsx'

export interface SearchProps {
  typed: string
  /** Null for all kinds. */
  kind: SearchKind | null
  /** Null for the whole library. */
  story: { id: number; title: string } | null
  groups: { kind: SearchKind; items: SearchResult[]; next: number | null }[]
  isEmpty: boolean
  /** Null once the index is built. */
  indexing: JobProgress | null
}

export function SearchPage(props: SearchProps): Markup {
  const { typed, kind, story } = props
  return (
    <Page title={typed.trim() === '' ? 'Search' : `Search: ${typed}`} place="/search">
      <div class="shelf">
        <h1>Search</h1>
        <SearchForm typed={typed}>
          <div class="row">
            <label>
              <span class="unseen">Type</span>
              <Select
                name="kind"
                options={[['', 'All'], ...SEARCH_KINDS.map((one) => [one, NAMES[one]] as const)]}
                chosen={kind ?? ''}
              />
            </label>
            {story ? (
              <label class="check">
                <input type="checkbox" name="adventure" value={String(story.id)} checked />
                Only in “{story.title}”
              </label>
            ) : null}
          </div>
        </SearchForm>
        <Results {...props} />
      </div>
    </Page>
  )
}

export function Results(props: SearchProps): Markup {
  const { isEmpty, groups } = props
  return (
    <>
      <IndexProgress indexing={props.indexing} />
      {isEmpty ? <Hints /> : groups.length === 0 ? <NoResults {...props} /> : null}
      {groups.map((group) => (
        <Group {...props} group={group} />
      ))}
    </>
  )
}

function IndexProgress({ indexing }: Pick<SearchProps, 'indexing'>): Markup | null {
  if (indexing === null) return null
  return (
    <p role="status">
      The search index is being built: {percentOf(indexing)}%. Until it is complete, some passages are not
      found.
    </p>
  )
}

function NoResults({ typed, kind, story }: SearchProps): Markup {
  return (
    <div role="status">
      <p class="lead">No results.</p>
      <p>
        Try fewer words, or the beginning of a word.{' '}
        {kind || story ? (
          <a href={`/search?${new URLSearchParams({ q: typed })}`}>Search the whole library</a>
        ) : null}
      </p>
    </div>
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
      Finds everything that contains all your words, also as the beginning of longer words. Use "quotation
      marks" for exact words in this order and - to exclude a word.
    </p>
  )
}

function attributesOf({ title, snippet, language }: SearchResult) {
  return attributesOfText(`${title} ${snippet.map(({ text }) => text).join('')}`, language)
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
        {group.items.map((item) => (
          <li>
            <a class="way" href={item.href} {...attributesOf(item)}>
              {item.title}
            </a>
            <p class="snippet" {...attributesOf(item)}>
              {item.snippet.map(({ text, hit }, i) =>
                hit ? <mark>{text}</mark> : i === 0 ? withoutLineMark(text) : text,
              )}
            </p>
            {item.branches.length === 0 ? null : (
              <p class="about">
                Also in{' '}
                {item.branches.map((branch, i) => (
                  <>
                    {i === 0 ? '' : ', '}
                    <a href={branch.href} dir="auto">
                      {branch.name}
                    </a>
                  </>
                ))}
              </p>
            )}
          </li>
        ))}
      </ul>
      {group.next === null ? null : (
        <p>
          <a class="way" href={`/search?${more}`}>
            {kind ? 'Show earlier results' : 'Show all'}
          </a>
        </p>
      )}
    </section>
  )
}
