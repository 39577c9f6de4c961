import type { AdventureListItem } from '../../domain/adventure.ts'
import type { ScenarioListItem } from '../../domain/scenario.ts'
import { ImportForm } from '../import/import.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page } from '../layout.tsx'
import { SearchForm } from '../search/search-form.tsx'
import { PracticeNote } from '../ui/practice-note.tsx'
import { storageUrl } from '../urls.ts'
import { FilterForm } from './filter-form.tsx'
import { FirstRun } from './first-run.tsx'
import { filterScenarios, filterStories, type LibraryFilter, NO_FILTER, tagsIn } from './library-filter.ts'
import { ScenarioCards } from './scenario-tiles.tsx'
import { ContinueReading, StoryCards } from './story-tiles.tsx'

export interface LibraryProps {
  /** Last played first. */
  adventures: AdventureListItem[]
  scenarios: ScenarioListItem[]
  /** A scenario without placeholders for a new player; null if there is none, or once there are stories. */
  first: number | null
  practice: boolean
  /** Why today's backup failed; '' otherwise. */
  copyTrouble: string
  now: Date
  notice?: Child
  /** What has just been done. */
  did?: string
  /** Pasted text that could not be imported. */
  pasted?: string | undefined
}

/** How many cards of a kind the first page shows before it links to the rest. */
const SHOWN = 6

/** The first page: stories to continue, and scenarios to start from. */
export function LibraryPage(props: LibraryProps): Markup {
  const { adventures, scenarios, first, practice, copyTrouble, notice, did, pasted } = props
  const isNew = adventures.length === 0
  return (
    <Page title="Inglenook" place="/" did={did}>
      <div class="shelf">
        <div class="shelf-head">
          <h1>{isNew ? 'Welcome to Inglenook' : 'Your stories'}</h1>
          {isNew ? null : <SearchForm />}
        </div>
        <Notice>{notice}</Notice>
        {copyTrouble ? (
          <p class="practice" role="status">
            {copyTrouble} You can keep playing. Meanwhile, back up to another place with npm run backup FILE.
          </p>
        ) : null}
        {isNew ? <FirstRun first={first} practice={practice} /> : <Stories {...props} />}
        <h2>Start a new story</h2>
        {scenarios.length > 0 ? (
          <ScenarioCards scenarios={scenarios.slice(0, SHOWN)} heading="h3" />
        ) : (
          <p>
            No scenarios yet. <a href="/scenarios">Create one</a>, or import a file.
          </p>
        )}
        <ShowAll
          href="/scenarios"
          shown={Math.min(SHOWN, scenarios.length)}
          count={scenarios.length}
          what="scenarios"
        />
        {isNew && first === null ? null : <BlankStoryForm />}
        <ImportForm pasted={pasted} />
        <h2>Backup</h2>
        <p class="row">
          <a class="button" href="/api/backup">
            Back up the whole library
          </a>
          <a href={storageUrl()}>Restore a backup</a>
        </p>
      </div>
    </Page>
  )
}

function Stories({ adventures, now, practice }: LibraryProps): Markup {
  const stories = filterStories(adventures, NO_FILTER)
  const last = adventures.find(({ shelf }) => shelf !== 'archived')
  const others = stories.filter((story) => story !== last)
  return (
    <>
      {last ? <ContinueReading story={last} now={now} /> : <p class="lead">All your stories are archived.</p>}
      {others.length > 0 ? <StoryCards stories={others.slice(0, SHOWN)} now={now} /> : null}
      <ShowAll
        href="/adventures"
        shown={Math.min(SHOWN + 1, stories.length)}
        count={adventures.length}
        what="stories"
      />
      {practice ? <PracticeNote /> : null}
    </>
  )
}

function ShowAll({
  href,
  shown,
  count,
  what,
}: {
  href: string
  shown: number
  count: number
  what: string
}): Markup | null {
  return shown >= count ? null : <WayTo href={href}>{`Show all ${count} ${what}`}</WayTo>
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

/** All scenarios, and a form that creates one. */
export function ScenariosPage({
  scenarios,
  filter = NO_FILTER,
  did,
}: {
  scenarios: ScenarioListItem[]
  filter?: LibraryFilter
  did?: string
}): Markup {
  const shown = filterScenarios(scenarios, filter)
  return (
    <Page title="Scenarios" place="/scenarios" did={did}>
      <div class="shelf">
        <h1>Scenarios</h1>
        {scenarios.length > 0 ? (
          <FilterForm action="/scenarios" filter={filter} tags={tagsIn(scenarios)} />
        ) : null}
        {shown.length > 0 ? (
          <ScenarioCards scenarios={shown} />
        ) : (
          <NoScenarios isFiltered={scenarios.length > 0} />
        )}
        <h2>New scenario</h2>
        <form class="row one-line" method="post" action="/scenarios">
          <label>
            <span>Title</span>
            <input name="title" dir="auto" maxlength="200" required />
          </label>
          <button type="submit">Create</button>
        </form>
        <ImportForm />
      </div>
    </Page>
  )
}

function NoScenarios({ isFiltered }: { isFiltered: boolean }): Markup {
  return (
    <p class="lead">
      {isFiltered ? (
        <>
          No scenarios match. <a href="/scenarios">Show all</a>
        </>
      ) : (
        'No scenarios yet. Create one below, or import a file.'
      )}
    </p>
  )
}

/** All stories, or the archived ones. */
export function AdventuresPage({
  adventures,
  filter,
  now,
  did,
}: {
  adventures: AdventureListItem[]
  filter: LibraryFilter
  now: Date
  did?: string
}): Markup {
  const isArchive = filter.shelf === 'archived'
  const shown = filterStories(adventures, filter)
  const title = isArchive ? 'Archived stories' : 'Your stories'
  return (
    <Page title={title} place="/" did={did}>
      <div class="shelf">
        <h1>{title}</h1>
        {adventures.length > 0 ? (
          <FilterForm action="/adventures" filter={filter} tags={tagsIn(adventures)} hasOrders />
        ) : null}
        {shown.length > 0 ? (
          <StoryCards stories={shown} now={now} />
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
      {archived > 0 ? (
        <WayTo href="/adventures?shelf=archived">{`Show archived stories (${archived})`}</WayTo>
      ) : null}
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
  const all = shelf === 'archived' ? '/adventures?shelf=archived' : '/adventures'
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

function BlankStoryForm(): Markup {
  return (
    <form class="row" method="post" action="/adventures">
      <button type="submit">Start a blank story</button>
      <p class="about">You write the opening yourself.</p>
    </form>
  )
}
