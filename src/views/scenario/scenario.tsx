import type { StoryError } from '../../domain/errors.ts'
import { estimateTokens } from '../../domain/prompt/tokens.ts'
import { type Scenario, tagList } from '../../domain/scenario.ts'
import type { PlaceholderQuestion } from '../../domain/start-from-scenario.ts'
import type { StoryCard } from '../../domain/story-card.ts'
import type { Answers } from '../../domain/text/placeholder.ts'
import type { StatSchema } from '../../domain/world/state.ts'
import { objectIn } from '../../lib/objects.ts'
import { CardEditors, type TriggerTest } from '../cards/card-editors.tsx'
import { type CardFilter, kindsOf } from '../cards/card-filter.ts'
import { ExportScenario } from '../export/export-forms.tsx'
import { ImportIntoScenario } from '../import/import.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page } from '../layout.tsx'
import { Tags } from '../library/tags.tsx'
import type { FormFields } from '../respond.tsx'
import { Cover } from '../ui/cover.tsx'
import { formatNumber } from '../ui/format-number.ts'
import { answersIn } from '../ui/placeholder-fields.ts'
import { PracticeNote } from '../ui/practice-note.tsx'
import { PlaceholderList, StartForm } from './placeholders.tsx'
import { CoverForm, SCENARIO_TEXTS, ScenarioTexts } from './scenario-fields.tsx'
import { SchemaEditor, type SchemaProps } from './schema-editor.tsx'

/** The part of the page that is open when it loads; the names are part of its address. */
export type OpenPart = 'texts' | 'cover' | 'questions' | 'stats' | 'cards' | ''

export interface ScenarioProps {
  scenario: Scenario
  image_url: string
  cards: StoryCard[]
  placeholders: PlaceholderQuestion[]
  stats: SchemaProps
  /** The filter of its cards. */
  filter?: CardFilter | undefined
  /** A trigger test and its result. */
  tried?: TriggerTest | undefined
  /** Values to preview the opening with. */
  sample?: Answers | undefined
  open?: OpenPart
  practice: boolean
  notice?: Child
  /** What has just been done. */
  did?: string
  /** Pasted text that could not be imported. */
  pasted?: string | undefined
  /** Rejected input by field name, and why it was rejected. */
  typed?: FormFields | undefined
  fault?: StoryError | undefined
}

/** A scenario: what it is about, a form that starts a story, and everything that its author can edit. */
export function ScenarioPage(props: ScenarioProps): Markup {
  const { scenario, did, pasted } = props
  return (
    <Page title={scenario.title} place="/scenarios" did={did}>
      <div class="shelf">
        <Head {...props} />
        <h2>Edit</h2>
        <TextsPart {...props} />
        <CoverPart {...props} />
        <PlaceholdersPart {...props} />
        <StatsPart {...props} />
        <CardsPart {...props} />
        <h2>Manage</h2>
        <ImportIntoScenario scenarioId={scenario.id} pasted={pasted} />
        <ExportScenario scenarioId={scenario.id} />
        <form class="row" method="post" action={`/scenarios/${scenario.id}/duplicate`}>
          <button type="submit">Duplicate scenario</button>
        </form>
        <details>
          <summary>Delete scenario</summary>
          <form class="row" method="post" action={`/scenarios/${scenario.id}/delete`}>
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

function Head({ scenario, image_url, placeholders, practice, notice, typed }: ScenarioProps): Markup {
  const { id, title, icon, description, tags } = scenario
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
        <StartForm scenarioId={id} placeholders={placeholders} answers={typed && answersIn(typed)} />
      </div>
    </div>
  )
}

function TextsPart({ scenario, open, typed, fault }: ScenarioProps): Markup {
  return (
    <Part name="texts" title="Plot and details" summary={summaryOfTexts(scenario)} open={open}>
      <p class="row">
        <a href="#begin">Play this scenario</a>
      </p>
      <ScenarioTexts scenario={scenario} typed={open === 'texts' ? typed : undefined} fault={fault} />
    </Part>
  )
}

function CoverPart({ scenario, image_url, open }: ScenarioProps): Markup {
  return (
    <Part name="cover" title="Cover" summary={image_url ? 'custom' : 'default'} open={open}>
      <CoverForm scenario={scenario} />
    </Part>
  )
}

function PlaceholdersPart({ scenario, placeholders, sample, open }: ScenarioProps): Markup {
  return (
    <Part
      name="questions"
      title={`Placeholders (${placeholders.length})`}
      summary={placeholders.map(({ name }) => name).join(' · ')}
      open={open}
    >
      <PlaceholderList
        scenarioId={scenario.id}
        opening={scenario.prompt}
        placeholders={placeholders}
        sample={sample}
      />
    </Part>
  )
}

function StatsPart({ stats, open }: ScenarioProps): Markup {
  return (
    <Part name="stats" title="Stats" summary={summaryOfStats(stats.schema)} open={open}>
      <SchemaEditor {...stats} />
    </Part>
  )
}

function CardsPart({ scenario, cards, tried, filter, typed, fault, open }: ScenarioProps): Markup {
  return (
    <Part
      name="cards"
      title={`Story cards (${cards.length})`}
      summary={kindsOf(cards).join(' · ')}
      open={open}
    >
      <CardEditors
        cards={cards}
        owner={{ scenario_id: scenario.id }}
        tried={tried}
        filter={filter}
        typed={open === 'cards' ? typed : undefined}
        fault={fault}
      />
    </Part>
  )
}

function Part({
  name,
  title,
  summary,
  open,
  children,
}: {
  name: Exclude<OpenPart, ''>
  title: string
  summary: string
  open: OpenPart | undefined
  children?: Child
}): Markup {
  return (
    <details id={`part-${name}`} class="fold" open={open === name}>
      <summary>
        {title} <span class="about">{summary}</span>
      </summary>
      {children}
    </details>
  )
}

/** Which texts the model gets, and their size. */
function summaryOfTexts(scenario: Scenario): string {
  const written = SCENARIO_TEXTS.filter(({ name, isTold }) => isTold && scenario[name].trim() !== '')
  const tokens = written.reduce((sum, { name }) => sum + estimateTokens(scenario[name]), 0)
  if (tokens === 0) return 'empty'
  return `${written.map(({ label }) => label).join(' · ')}, about ${formatNumber(tokens)} tokens`
}

/** How many stats there are of each kind. */
function summaryOfStats(schema: StatSchema): string {
  const size = (name: string) => Object.keys(objectIn(schema, name)).length
  const cast = Object.values(objectIn(schema, 'npcs'))
  const npcStats = cast.reduce<number>((sum, npc) => sum + Object.keys(objectIn(npc, 'stats')).length, 0)
  const parts = [
    counted(size('world') + size('player') + npcStats, 'stat', 'stats'),
    counted(cast.length, 'character', 'characters'),
    counted(size('flags'), 'flag', 'flags'),
    counted(size('milestones'), 'milestone', 'milestones'),
  ]
  return parts.filter(Boolean).join(' · ') || 'none'
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${count} ${count === 1 ? one : many}`
}
