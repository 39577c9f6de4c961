import { type Scenario, tagList } from '../../domain/scenario.ts'
import type { PlaceholderQuestion } from '../../domain/start-from-scenario.ts'
import type { StoryCard } from '../../domain/story-card.ts'
import { ExportScenario } from '../export/export-forms.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page } from '../layout.tsx'
import { Tags } from '../library/tags.tsx'
import type { FormFields } from '../respond.tsx'
import { Cover } from '../ui/cover.tsx'
import { PracticeNote } from '../ui/practice-note.tsx'
import { editorUrl, scenarioUrl } from '../urls.ts'
import { StartForm } from './placeholders.tsx'

export interface ScenarioProps {
  scenario: Scenario
  cards: StoryCard[]
  image_url: string
  placeholders: PlaceholderQuestion[]
  /** Names from earlier stories. */
  names: string[]
  practice: boolean
  notice?: Child
  did?: string
  typed?: FormFields | undefined
}

export function ScenarioPage(props: ScenarioProps): Markup {
  const { scenario, cards, did } = props
  const action = scenarioUrl(scenario.id)
  return (
    <Page title={scenario.title} place="/scenarios" did={did}>
      <div class="shelf">
        <Head {...props} />
        <h2>Manage</h2>
        <form class="row" method="post" action={`${action}/duplicate`}>
          <a class="button" href={editorUrl(scenario.id, 'story')}>
            Edit scenario
          </a>
          <button type="submit">Duplicate scenario</button>
        </form>
        <ExportScenario scenario={scenario} cards={cards} />
        <details>
          <summary>Delete scenario</summary>
          <form class="row" method="post" action={`${action}/delete`}>
            <p>Stories started from it are kept.</p>
            <button type="submit" class="danger">
              Delete “{scenario.title}”
            </button>
          </form>
        </details>
      </div>
    </Page>
  )
}

function Head({ scenario, image_url, placeholders, names, practice, notice, typed }: ScenarioProps): Markup {
  const { title, icon, description, tags } = scenario
  return (
    <div class="scenario-head">
      <Cover title={title} icon={icon} image_url={image_url} />
      <div>
        <h1 dir="auto">{title}</h1>
        {description === '' ? null : (
          <p class="lead" dir="auto">
            {description}
          </p>
        )}
        <Tags tags={tagList(tags)} />
        {practice ? <PracticeNote /> : null}
        <Notice>{notice}</Notice>
        <StartForm scenario={scenario} placeholders={placeholders} names={names} typed={typed} />
      </div>
    </div>
  )
}
