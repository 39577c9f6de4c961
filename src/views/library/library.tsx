import type { AdventureListItem } from '../../domain/adventure.ts'
import {
  type LibraryView,
  scenariosInView,
  storiesInView,
  tagsIn,
  WHOLE_LIBRARY,
} from './library-filter.ts'
import type { ScenarioListItem } from '../../domain/scenario.ts'
import { BringForm } from '../import/import.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page } from '../layout.tsx'
import { PracticeNote } from '../ui/practice-note.tsx'
import { SearchForm } from '../search/search-form.tsx'
import { FirstRun } from './first-run.tsx'
import { ScenarioCards } from './scenario-tiles.tsx'
import { GoOn, StoryCards } from './story-tiles.tsx'
import { ViewForm } from './view-form.tsx'

export interface LibraryProps {
  /** The one played last first. */
  adventures: AdventureListItem[]
  scenarios: ScenarioListItem[]
  /** A scenario that a new player can play at once, for it asks nothing; null without one, or with stories. */
  first: number | null
  practice: boolean
  /** Why there is no copy of this day; '' when there is one, or none is due. */
  copyTrouble: string
  now: Date
  notice?: Child
  /** What was done before. */
  did?: string
  /** A text that was brought and not taken. */
  pasted?: string | undefined
}

/** Cards of a kind on the first page; the others are a link away. */
const SHOWN = 6

/** The first page: stories to go on with, and scenarios to begin from. */
export function LibraryPage(props: LibraryProps): Markup {
  const { adventures, scenarios, first, practice, copyTrouble, now, notice, did, pasted } = props
  const isNew = adventures.length === 0
  const stories = storiesInView(adventures, WHOLE_LIBRARY)
  const last = adventures.find(({ shelf }) => shelf !== 'archived')
  const others = stories.filter((story) => story !== last)
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
            {copyTrouble} You can play on; copy it elsewhere meanwhile with npm run backup FILE.
          </p>
        ) : null}
        {isNew ? (
          <FirstRun first={first} practice={practice} />
        ) : (
          <>
            {last ? <GoOn story={last} now={now} /> : <p class="lead">All your stories are archived.</p>}
            {others.length > 0 ? <StoryCards stories={others.slice(0, SHOWN)} now={now} /> : null}
            <More
              href="/adventures"
              shown={Math.min(SHOWN + 1, stories.length)}
              of={adventures.length}
              what="stories"
            />
            {practice ? <PracticeNote /> : null}
          </>
        )}
        <h2>Begin a new story</h2>
        {scenarios.length > 0 ? (
          <ScenarioCards scenarios={scenarios.slice(0, SHOWN)} heading="h3" />
        ) : (
          <p>
            There is no scenario to begin from. <a href="/scenarios">Write one</a>, or bring one as a file.
          </p>
        )}
        <More
          href="/scenarios"
          shown={Math.min(SHOWN, scenarios.length)}
          of={scenarios.length}
          what="scenarios"
        />
        {isNew && first === null ? null : <BlankPage />}
        <BringForm pasted={pasted} />
        <h2>Keep a copy</h2>
        <p class="row">
          <a class="button" href="/api/backup">
            Save a copy of the whole library
          </a>
          <span class="about">Put one back with npm run restore.</span>
        </p>
      </div>
    </Page>
  )
}

function More({
  href,
  shown,
  of,
  what,
}: {
  href: string
  shown: number
  of: number
  what: string
}): Markup | null {
  if (shown >= of) return null
  return (
    <p>
      <a class="way" href={href}>{`All ${of} ${what}`}</a>
    </p>
  )
}

/** All scenarios, and a way to write one. */
export function ScenariosPage({
  scenarios,
  view = WHOLE_LIBRARY,
  did,
}: {
  scenarios: ScenarioListItem[]
  view?: LibraryView
  did?: string
}): Markup {
  const shown = scenariosInView(scenarios, view)
  return (
    <Page title="Scenarios" place="/scenarios" did={did}>
      <div class="shelf">
        <h1>Scenarios</h1>
        {scenarios.length > 0 ? <ViewForm action="/scenarios" view={view} tags={tagsIn(scenarios)} /> : null}
        {shown.length > 0 ? (
          <ScenarioCards scenarios={shown} />
        ) : (
          <p class="lead">
            {scenarios.length > 0 ? (
              <>
                No scenario is like that. <a href="/scenarios">Show all of them again</a>, or write a new one.
              </>
            ) : (
              'There is no scenario yet. Write the first one, or bring one as a file.'
            )}
          </p>
        )}
        <h2>Write a scenario</h2>
        <form class="row one-line" method="post" action="/scenarios">
          <label>
            <span>Title of a new scenario</span>
            <input name="title" maxlength="200" required />
          </label>
          <button type="submit">Write it</button>
        </form>
        <BringForm />
      </div>
    </Page>
  )
}

/** All stories, or those that are archived. */
export function AdventuresPage({
  adventures,
  view,
  now,
  did,
}: {
  adventures: AdventureListItem[]
  view: LibraryView
  now: Date
  did?: string
}): Markup {
  const isArchive = view.shelf === 'archived'
  const shown = storiesInView(adventures, view)
  const archived = adventures.filter(({ shelf }) => shelf === 'archived').length
  return (
    <Page title={isArchive ? 'Archived stories' : 'Stories'} place="/" did={did}>
      <div class="shelf">
        <h1>{isArchive ? 'Archived stories' : 'Your stories'}</h1>
        {adventures.length > 0 ? (
          <ViewForm action="/adventures" view={view} tags={tagsIn(adventures)} orders />
        ) : null}
        {shown.length > 0 ? (
          <StoryCards stories={shown} now={now} />
        ) : (
          <p class="lead">
            {emptyWords(adventures.length, view)}{' '}
            {isWhole(view) ? null : (
              <a href={isArchive ? '/adventures?shelf=archived' : '/adventures'}>Show all</a>
            )}
          </p>
        )}
        {isArchive ? (
          <p>
            <a class="way" href="/adventures">
              Back to your stories
            </a>
          </p>
        ) : (
          <>
            {archived > 0 ? (
              <p>
                <a class="way" href="/adventures?shelf=archived">{`Archived stories (${archived})`}</a>
              </p>
            ) : null}
            <h2>Begin a new story</h2>
            <p>
              From one of your <a href="/scenarios">scenarios</a>, or from nothing.
            </p>
            <BlankPage />
            <BringForm />
          </>
        )}
      </div>
    </Page>
  )
}

function isWhole({ find, tag }: Pick<LibraryView, 'find' | 'tag'>): boolean {
  return find === '' && tag === ''
}

function emptyWords(all: number, { shelf, find, tag }: LibraryView): string {
  if (all === 0) return 'No story has begun yet. They will stand here, the one played last first.'
  if (!isWhole({ find, tag })) return 'No story is like that.'
  return shelf === 'archived' ? 'Nothing is archived.' : 'All your stories are archived.'
}

/** What stands at an address where nothing else does. */
export function NothingPage({ sentence }: { sentence: string }): Markup {
  return (
    <Page title="Nothing here" place="">
      <div class="shelf">
        <h1>Nothing lives here</h1>
        <p class="lead">{sentence}</p>
        <p>
          <a class="button main" href="/">
            Go to your library
          </a>
        </p>
      </div>
    </Page>
  )
}

/** What is shown instead of an answer to what was sent. */
export function RefusedPage({ sentence }: { sentence: string }): Markup {
  return (
    <Page title="Refused" place="">
      <div class="shelf">
        <h1>That was not taken in</h1>
        <p class="lead">{sentence}</p>
        <p>
          Nothing was changed. Go back with your browser to what you sent, or{' '}
          <a href="/">go to your library</a>.
        </p>
      </div>
    </Page>
  )
}

function BlankPage(): Markup {
  return (
    <form class="row" method="post" action="/adventures">
      <button type="submit">Begin with a blank page</button>
      <p class="about">You write the opening yourself.</p>
    </form>
  )
}
