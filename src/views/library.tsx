import type { AdventureListItem } from '../domain/adventure.ts'
import { type ScenarioListItem, tagList } from '../domain/scenario.ts'
import { BringForm } from './bring.tsx'
import { Cover } from './cover.tsx'
import type { Child, Markup } from './jsx/jsx-runtime.ts'
import { Notice, Page } from './layout.tsx'
import { PracticeNote } from './practice-note.tsx'
import { SearchForm } from './search-form.tsx'

/** The stories in progress, newest first, each card for itself. */
function Adventures({ adventures }: { adventures: AdventureListItem[] }): Markup {
  return (
    <ul class="cards">
      {adventures.map((adventure) => (
        <li class="card">
          <Cover {...adventure} />
          <div>
            <h3>
              <a href={`/adventures/${adventure.id}`}>{adventure.title}</a>
            </h3>
            <p class="about">
              {adventure.scenario_title && adventure.scenario_title !== adventure.title
                ? `From “${adventure.scenario_title}” · `
                : ''}
              {turnsIn(adventure.action_count)} ·{' '}
              <time datetime={adventure.updated_at}>{dayOf(adventure.updated_at)}</time>
            </p>
            <p class="snippet">{adventure.snippet || 'Nothing is written yet.'}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Scenarios to begin a story from. */
function Scenarios({ scenarios }: { scenarios: ScenarioListItem[] }): Markup {
  return (
    <ul class="cards">
      {scenarios.map((scenario) => (
        <li class="card">
          <Cover {...scenario} />
          <div>
            <h3>
              <a href={`/scenarios/${scenario.id}`}>{scenario.title}</a>
            </h3>
            <p class="snippet">{scenario.description}</p>
            <p class="tags">
              {tagList(scenario.tags)
                .slice(0, 4)
                .map((tag) => (
                  <span>{tag}</span>
                ))}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}

export interface LibraryProps {
  adventures: AdventureListItem[]
  scenarios: ScenarioListItem[]
  practice: boolean
  /** Why there is no copy of this day; '' when there is one, or none is due. */
  copyTrouble: string
  notice?: Child
}

/** The first page: stories to go on with, and scenarios to begin from. */
export function LibraryPage({ adventures, scenarios, practice, copyTrouble, notice }: LibraryProps): Markup {
  return (
    <Page title="Inglenook" place="/">
      <div class="shelf">
        <div class="shelf-head">
          <h1>{adventures.length > 0 ? 'Your stories' : 'Welcome to Inglenook'}</h1>
          <SearchForm />
        </div>
        <Notice>{notice}</Notice>
        {practice ? <PracticeNote /> : null}
        {copyTrouble ? (
          <p class="practice" role="status">
            {copyTrouble} You can play on; copy it elsewhere meanwhile with npm run backup FILE.
          </p>
        ) : null}
        {adventures.length > 0 ? (
          <Adventures adventures={adventures} />
        ) : (
          <p class="lead">
            Choose a scenario, say what you do, and the narrator tells what comes of it. Everything stays on
            this machine.
          </p>
        )}
        <h2>Begin a new story</h2>
        <Scenarios scenarios={scenarios} />
        <BlankPage />
        <BringForm />
        <p>
          <a href="/api/backup">Save a copy of the whole library</a>{' '}
          <span class="about">Put one back with npm run restore.</span>
        </p>
      </div>
    </Page>
  )
}

/** All scenarios, and a way to write one. */
export function ScenariosPage({ scenarios }: { scenarios: ScenarioListItem[] }): Markup {
  return (
    <Page title="Scenarios" place="/scenarios">
      <div class="shelf">
        <h1>Scenarios</h1>
        {scenarios.length > 0 ? (
          <Scenarios scenarios={scenarios} />
        ) : (
          <p class="lead">There is no scenario yet. Write the first one.</p>
        )}
        <form class="row" method="post" action="/scenarios">
          <label>
            Title of a new scenario
            <input name="title" maxlength="200" required />
          </label>
          <button type="submit">Write it</button>
        </form>
      </div>
    </Page>
  )
}

export function AdventuresPage({ adventures }: { adventures: AdventureListItem[] }): Markup {
  return (
    <Page title="Stories" place="/">
      <div class="shelf">
        <h1>Your stories</h1>
        {adventures.length > 0 ? (
          <Adventures adventures={adventures} />
        ) : (
          <p class="lead">No story has begun yet.</p>
        )}
        <BlankPage />
      </div>
    </Page>
  )
}

/** What stands at an address where nothing else does. */
export function NothingPage({ sentence }: { sentence: string }): Markup {
  return (
    <Page title="Nothing here" place="">
      <div class="shelf">
        <h1>Nothing lives here</h1>
        <p class="lead">{sentence}</p>
        <p>
          <a href="/">Go to your library</a>
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
      <p>Or begin with a blank page and write the opening yourself.</p>
      <button type="submit">Begin with a blank page</button>
    </form>
  )
}

function turnsIn(actions: number): string {
  return actions === 1 ? '1 passage' : `${actions} passages`
}

function dayOf(time: string): string {
  return time.slice(0, 10)
}
