import type { AdventureListItem } from '../../domain/adventure.ts'
import { ImportForm } from '../import/import.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Page } from '../layout.tsx'
import { FilterForm } from './filter-form.tsx'
import { filterStories, type LibraryFilter, tagsIn } from './library-filter.ts'
import { SelectedForm } from './selected-form.tsx'
import { StoryCards } from './story-tiles.tsx'

export const ARCHIVE = '/adventures?shelf=archived'

interface AdventuresPageProps {
  adventures: AdventureListItem[]
  filter: LibraryFilter
  now: Date
  did?: string
  undo?: Child
}

export function AdventuresPage({ adventures, filter, now, did, undo }: AdventuresPageProps): Markup {
  const isArchive = filter.shelf === 'archived'
  const shown = filterStories(adventures, filter)
  const title = isArchive ? 'Archived stories' : 'Your stories'
  return (
    <Page title={title} place="/" did={did} undo={undo}>
      <div class="shelf">
        <h1>{title}</h1>
        {adventures.length > 0 ? (
          <FilterForm action="/adventures" filter={filter} tags={tagsIn(adventures)} hasOrders />
        ) : null}
        {shown.length > 0 ? (
          <>
            <StoryCards stories={shown} now={now} />
            <SelectedForm isArchive={isArchive} />
          </>
        ) : (
          <NoStories count={adventures.length} filter={filter} />
        )}
        {isArchive ? (
          <WayTo href="/adventures">Back to your stories</WayTo>
        ) : (
          <NewStory archived={adventures.filter(({ shelf }) => shelf === 'archived').length} />
        )}
      </div>
    </Page>
  )
}

function NewStory({ archived }: { archived: number }): Markup {
  return (
    <>
      {archived > 0 ? <WayTo href={ARCHIVE}>{`Archived stories (${archived})`}</WayTo> : null}
      <h2>Start a new story</h2>
      <p>
        Choose one of your <a href="/scenarios">scenarios</a>, or start a blank story.
      </p>
      <BlankStoryForm />
      <ImportForm />
    </>
  )
}

function NoStories({ count, filter }: { count: number; filter: LibraryFilter }): Markup {
  const { shelf, find, tag } = filter
  const all = shelf === 'archived' ? ARCHIVE : '/adventures'
  if (count > 0 && (find !== '' || tag !== ''))
    return (
      <p class="lead">
        No stories match. <a href={all}>Show all</a>
      </p>
    )
  if (count === 0) return <p class="lead">No stories yet. They will appear here, last played first.</p>
  return (
    <p class="lead">{shelf === 'archived' ? 'No archived stories.' : 'All your stories are archived.'}</p>
  )
}

function WayTo({ href, children }: { href: string; children?: Child }): Markup {
  return (
    <p>
      <a class="way" href={href}>
        {children}
      </a>
    </p>
  )
}

function BlankStoryForm(): Markup {
  return (
    <form class="row" method="post" action="/adventures">
      <button type="submit">Start a blank story</button>
      <p class="about">You write the opening yourself.</p>
    </form>
  )
}
