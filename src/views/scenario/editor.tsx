import type { TrialStart } from '../../app/scenario/try-cards.ts'
import type { StoryError } from '../../domain/errors.ts'
import { CardEditors } from '../cards/card-editors.tsx'
import type { CardFilter } from '../cards/card-filter.ts'
import type { CardTest } from '../cards/try-cards.tsx'
import { ImportIntoScenario } from '../import/import.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page } from '../layout.tsx'
import { SavingState } from '../ui/autosave-form.tsx'
import { Cover } from '../ui/cover.tsx'
import { EDITOR_TABS, type EditorTab, editorUrl, scenarioUrl } from '../urls.ts'
import { PlaceholderList } from './placeholders.tsx'
import { Preview, type PreviewProps } from './preview.tsx'
import type { ScenarioProps } from './scenario.tsx'
import { CoverForm, ScenarioTexts } from './scenario-fields.tsx'
import { SchemaEditor, type SchemaProps } from './schema-editor.tsx'

export interface EditorProps extends ScenarioProps {
  tab?: EditorTab
  unused: ReadonlySet<number>
  start: TrialStart
  tried?: CardTest | undefined
  stats: SchemaProps
  preview: PreviewProps
  filter?: CardFilter | undefined
  pasted?: string | undefined
  fault?: StoryError | undefined
}

const NAMES: Record<EditorTab, string> = {
  story: 'Story',
  cards: 'Cards',
  stats: 'Stats',
  questions: 'Placeholders',
  cover: 'Cover',
}

export function EditorPage(props: EditorProps): Markup {
  const { scenario, did, notice, preview, tab = 'story' } = props
  return (
    <Page title={`Edit ${scenario.title}`} place="/scenarios" did={did}>
      <div class="editor">
        <div id="editor" x-data="autosave" x-on:input="typing">
          <div class="shelf-head">
            <EditedTitle title={scenario.title} />
            <a class="button" href={scenarioUrl(scenario.id)}>
              Play<span class="unseen"> this scenario</span>
            </a>
          </div>
          <Notice>{notice}</Notice>
          <div class="tab-bar">
            <Tabs {...props} tab={tab} />
            <SavingState />
          </div>
          {TABS[tab](props)}
        </div>
        <Preview {...preview} tab={tab} />
      </div>
    </Page>
  )
}

/** Follows the title as it is saved. */
export function EditedTitle({
  title,
  isOutOfBand = false,
}: {
  title: string
  isOutOfBand?: boolean
}): Markup {
  return (
    <h1 id="edited-title" dir="auto" hx-swap-oob={isOutOfBand ? 'true' : undefined}>
      {title}
    </h1>
  )
}

/** Each tab is a page of its own. Its address leads to the tabs, so that the Tab key goes on from there. */
function Tabs({ scenario, cards, placeholders, tab }: EditorProps): Markup {
  const counts: Partial<Record<EditorTab, number>> = { cards: cards.length, questions: placeholders.length }
  return (
    <nav id="parts" class="tabs" aria-label="Parts of the scenario">
      {EDITOR_TABS.map((name) => (
        <a href={`${editorUrl(scenario.id, name)}#parts`} aria-current={name === tab ? 'page' : undefined}>
          {NAMES[name]}
          {counts[name] ? <span class="about"> {counts[name]}</span> : null}
        </a>
      ))}
    </nav>
  )
}

const TABS: Record<EditorTab, (props: EditorProps) => Markup> = {
  story: (props) => <ScenarioTexts {...props} />,
  cards: ({ scenario, cards, unused, start, tried, filter, typed, fault, pasted }) => (
    <>
      <CardEditors
        cards={cards}
        unused={unused}
        owner={{ scenario_id: scenario.id }}
        schema={scenario.stat_schema}
        start={start}
        tried={tried}
        filter={filter}
        typed={typed}
        fault={fault}
      />
      <ImportIntoScenario scenarioId={scenario.id} pasted={pasted} />
    </>
  ),
  stats: ({ stats }) => <SchemaEditor {...stats} />,
  questions: ({ placeholders }) => <PlaceholderList placeholders={placeholders} />,
  cover: ({ scenario, image_url }) => (
    <div class="scenario-head">
      <Cover title={scenario.title} icon={scenario.icon} image_url={image_url} />
      <CoverForm scenario={scenario} />
    </div>
  ),
}
