import type { EngineReport } from '../../app/model/engine.ts'
import type { AdventureListItem } from '../../domain/adventure.ts'
import type { ScenarioListItem } from '../../domain/scenario.ts'
import { currentVisitor } from '../../http/visitor.ts'
import { commandLine } from '../../lib/project.ts'
import { ImportForm } from '../import/import.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page } from '../layout.tsx'
import { SearchForm } from '../search/search-form.tsx'
import { formatNumber } from '../ui/format-number.ts'
import { PracticeNote } from '../ui/practice-note.tsx'
import { storageUrl } from '../urls.ts'
import { ARCHIVE } from './adventures.tsx'
import { BlankBook, ScenarioBook, StoryBook } from './books.tsx'
import { FirstRun } from './first-run.tsx'
import { filterStories, NO_FILTER } from './library-filter.ts'
import { ContinueReading } from './story-tiles.tsx'
import { withBranches } from './with-branches.ts'

export interface LibraryProps {
  /** Last played first. */
  adventures: AdventureListItem[]
  scenarios: ScenarioListItem[]
  /** A scenario without placeholders for a new player; null if there is none, or once there are stories. */
  first: number | null
  practice: boolean
  engine: Pick<EngineReport, 'state' | 'offer'>
  /** The reason why today's backup failed; '' otherwise. */
  copyTrouble: string
  /** The conversion at the opening of the library; '' for none. */
  conversion: string
  now: Date
  notice?: Child
  did?: string
  undo?: Child
  pasted?: string | undefined
}

/** Books on a shelf of the first page, before it links to the rest. */
const SHOWN = 12
/** One place is for the book that starts a blank story. */
const SCENARIOS_SHOWN = SHOWN - 1

export function LibraryPage(props: LibraryProps): Markup {
  const { adventures, scenarios, first, practice, copyTrouble, conversion, notice, did, undo, pasted } = props
  const isNew = adventures.length === 0
  return (
    <Page title="Inglenook" place="/" did={did} undo={undo}>
      <div class="shelf">
        <div class="shelf-head">
          <h1>{isNew ? 'Welcome to Inglenook' : 'Your stories'}</h1>
          {isNew ? null : <SearchForm />}
        </div>
        <Notice>{notice}</Notice>
        {conversion ? (
          <p class="practice" role="status">
            {conversion}
          </p>
        ) : null}
        {copyTrouble ? (
          <p class="practice" role="status">
            {copyTrouble} You can keep playing. Meanwhile, back up to another place with{' '}
            {commandLine('backup FILE')}.
          </p>
        ) : null}
        {isNew ? (
          <FirstRun
            first={scenarios.find(({ id }) => id === first)}
            practice={practice}
            engine={props.engine}
          />
        ) : (
          <Stories {...props} />
        )}
        <ShelfHead id="scenarios" title={isNew ? 'Scenarios' : 'Start a new story'}>
          <a class="way" href="/scenarios">
            {scenarios.length > SCENARIOS_SHOWN
              ? `All ${formatNumber(scenarios.length)} scenarios`
              : 'Edit scenarios'}
          </a>
        </ShelfHead>
        <ul class="books" aria-labelledby="scenarios">
          {scenarios.slice(0, SCENARIOS_SHOWN).map((scenario) => (
            <ScenarioBook scenario={scenario} />
          ))}
          <BlankBook />
        </ul>
        <ImportForm pasted={pasted} />
        {currentVisitor() === null ? <BackupLinks /> : null}
      </div>
    </Page>
  )
}

function BackupLinks(): Markup {
  return (
    <>
      <h2>Backup</h2>
      <p class="row">
        <a class="button" href="/api/backup">
          Back up the whole library
        </a>
        <a href={storageUrl()}>Restore a backup</a>
      </p>
    </>
  )
}

function Stories({ adventures, now, practice }: LibraryProps): Markup {
  const stories = filterStories(adventures, NO_FILTER)
  const newest = adventures.find(({ shelf }) => shelf !== 'archived')
  const shelved = withBranches(newest ? [newest, ...stories.filter((story) => story !== newest)] : stories)
  const [last, ...others] = shelved
  const archived = adventures.length - stories.length
  return (
    <>
      {last ? <ContinueReading {...last} now={now} /> : <p class="lead">All your stories are archived.</p>}
      {practice ? <PracticeNote /> : null}
      <ShelfHead id="stories" title="Stories">
        <a class="way" href="/adventures">
          {others.length > SHOWN ? `All ${formatNumber(shelved.length)} stories` : 'Sort and organize'}
        </a>
        {archived > 0 ? (
          <a class="way" href={ARCHIVE}>
            Archived stories ({formatNumber(archived)})
          </a>
        ) : null}
      </ShelfHead>
      {others.length > 0 ? (
        <ul class="books" aria-labelledby="stories">
          {others.slice(0, SHOWN).map((story) => (
            <StoryBook {...story} now={now} />
          ))}
        </ul>
      ) : (
        <p class="about">Your other stories appear here.</p>
      )}
    </>
  )
}

function ShelfHead({ id, title, children }: { id: string; title: string; children?: Child }): Markup {
  return (
    <div class="shelf-head">
      <h2 id={id}>{title}</h2>
      <span class="row">{children}</span>
    </div>
  )
}
