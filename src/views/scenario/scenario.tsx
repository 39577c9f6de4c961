import type { Question } from '../../domain/beginning.ts'
import { type CardView, kindsOf } from '../cards/card-filter.ts'
import type { StoryError } from '../../domain/errors.ts'
import type { Answers } from '../../domain/placeholder.ts'
import { estimateTokens } from '../../domain/prompt/tokens.ts'
import { type Scenario, tagList } from '../../domain/scenario.ts'
import type { StoryCard } from '../../domain/story-card.ts'
import { objectIn } from '../../lib/objects.ts'
import type { StatSchema } from '../../domain/world/state.ts'
import { amount } from '../ui/format-number.ts'
import type { Fields } from '../respond.tsx'
import { answersIn } from '../asked.ts'
import { CardEditors, type TriedText } from '../cards.tsx'
import { Cover } from '../ui/cover.tsx'
import { BringToScenario } from '../import/import.tsx'
import { TakeScenarioAway } from '../files/take-away.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page } from '../layout.tsx'
import { Tags } from '../library/tags.tsx'
import { PracticeNote } from '../ui/practice-note.tsx'
import { BeginForm, Questions } from './questions.tsx'
import { CoverForm, SCENARIO_TEXTS, ScenarioTexts } from './scenario-fields.tsx'
import { SchemaEditor, type SchemaProps } from './schema-editor.tsx'

/** The parts of the page that can be open when it comes. */
export type OpenPart = 'texts' | 'cover' | 'questions' | 'stats' | 'cards' | ''

export interface ScenarioProps {
  scenario: Scenario
  image_url: string
  cards: StoryCard[]
  questions: Question[]
  stats: SchemaProps
  /** How its cards are looked at. */
  view?: CardView | undefined
  /** A text that was tried on the cards. */
  tried?: TriedText | undefined
  /** Answers to try the opening with. */
  sample?: Answers | undefined
  open?: OpenPart
  practice: boolean
  notice?: Child
  /** What was done before. */
  did?: string
  /** A text that was brought and not taken. */
  pasted?: string | undefined
  /** What was typed and not taken, by the name of its field, and why. */
  typed?: Fields | undefined
  fault?: StoryError | undefined
}

/** A scenario: what it is about, the way into a story, and for its author the texts behind it. */
export function ScenarioPage({
  scenario,
  image_url,
  cards,
  questions,
  stats,
  view,
  tried,
  sample,
  open = '',
  practice,
  notice,
  did,
  pasted,
  typed,
  fault,
}: ScenarioProps): Markup {
  const part = (name: Exclude<OpenPart, ''>, title: string, inside: string, content: Child) => (
    <details id={`part-${name}`} class="fold" open={open === name}>
      <summary>
        {title} <span class="about">{inside}</span>
      </summary>
      {content}
    </details>
  )
  return (
    <Page title={scenario.title} place="/scenarios" did={did}>
      <div class="shelf">
        <div class="scenario-head">
          <Cover title={scenario.title} icon={scenario.icon} image_url={image_url} />
          <div>
            <h1 dir="auto">{scenario.title}</h1>
            {scenario.description === '' ? null : (
              <p class="lead" dir="auto">
                {scenario.description}
              </p>
            )}
            <Tags tags={tagList(scenario.tags)} />
            {practice ? <PracticeNote /> : null}
            <Notice>{notice}</Notice>
            <BeginForm
              scenarioId={scenario.id}
              questions={questions.map(({ name }) => name)}
              answers={typed && answersIn(typed)}
            />
          </div>
        </div>
        <h2>For its author</h2>
        {part(
          'texts',
          'Edit this scenario',
          inTexts(scenario),
          <>
            <p class="row">
              <a href="#begin">Play from here</a>
            </p>
            <ScenarioTexts scenario={scenario} typed={open === 'texts' ? typed : undefined} fault={fault} />
          </>,
        )}
        {part(
          'cover',
          'Picture',
          image_url ? 'one of your own' : 'none: a sign stands for it',
          <CoverForm scenario={scenario} />,
        )}
        {part(
          'questions',
          `Questions before it begins (${questions.length})`,
          questions.map(({ name }) => name).join(' · '),
          <Questions
            scenarioId={scenario.id}
            opening={scenario.prompt}
            questions={questions}
            sample={sample}
          />,
        )}
        {part('stats', 'What is counted', inSchema(stats.schema), <SchemaEditor {...stats} />)}
        {part(
          'cards',
          `Story cards (${cards.length})`,
          kindsOf(cards).join(' · '),
          <CardEditors
            cards={cards}
            owner={{ scenario_id: scenario.id }}
            tried={tried}
            view={view}
            typed={open === 'cards' ? typed : undefined}
            fault={fault}
          />,
        )}
        <h2>Bring, take away, copy, delete</h2>
        <BringToScenario scenarioId={scenario.id} pasted={pasted} />
        <TakeScenarioAway scenarioId={scenario.id} />
        <form class="row" method="post" action={`/scenarios/${scenario.id}/duplicate`}>
          <button type="submit">Duplicate this scenario</button>
        </form>
        <details>
          <summary>Delete this scenario</summary>
          <form class="row" method="post" action={`/scenarios/${scenario.id}/delete`}>
            <p>Stories that began from it go on without it.</p>
            <button type="submit" class="danger">
              Delete “{scenario.title}”
            </button>
          </form>
        </details>
      </div>
    </Page>
  )
}

/** Which of its texts are written, in words. */
function inTexts(scenario: Scenario): string {
  const written = SCENARIO_TEXTS.filter(({ name, isTold }) => isTold && scenario[name].trim() !== '')
  const tokens = written.reduce((sum, { name }) => sum + estimateTokens(scenario[name]), 0)
  if (tokens === 0) return 'nothing is written yet'
  return `${written.map(({ label }) => label).join(' · ')}, about ${amount(tokens)} tokens`
}

/** How much is counted, in words. */
function inSchema(schema: StatSchema): string {
  const size = (name: string) => Object.keys(objectIn(schema, name)).length
  const cast = Object.values(objectIn(schema, 'npcs'))
  const theirs = cast.reduce<number>((sum, npc) => sum + Object.keys(objectIn(npc, 'stats')).length, 0)
  const parts = [
    counted(size('world') + size('player') + theirs, 'value', 'values'),
    counted(cast.length, 'character', 'characters'),
    counted(size('flags'), 'flag', 'flags'),
    counted(size('milestones'), 'milestone', 'milestones'),
  ]
  return parts.filter(Boolean).join(' · ') || 'nothing'
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${count} ${count === 1 ? one : many}`
}
