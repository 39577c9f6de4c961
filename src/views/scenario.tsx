import type { Question } from '../domain/beginning.ts'
import type { CardView } from '../domain/cards/view.ts'
import type { StoryError } from '../domain/errors.ts'
import type { Answers } from '../domain/placeholder.ts'
import { type Scenario, tagList } from '../domain/scenario.ts'
import type { StoryCard } from '../domain/story-card.ts'
import type { Fields } from './answer.tsx'
import { answersIn } from './asked.ts'
import { BringToScenario } from './bring.tsx'
import { CardEditors, type TriedText } from './cards.tsx'
import { Cover } from './cover.tsx'
import type { Child, Markup } from './jsx/jsx-runtime.ts'
import { Notice, Page } from './layout.tsx'
import { PracticeNote } from './practice-note.tsx'
import { BeginForm, Questions } from './questions.tsx'
import { CoverForm, ScenarioTexts } from './scenario-fields.tsx'
import { SchemaEditor, type SchemaProps } from './schema-editor.tsx'
import { TakeScenarioAway } from './take-away.tsx'

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
  typed,
  fault,
}: ScenarioProps): Markup {
  const part = (name: OpenPart, title: string, content: Child) => (
    <details id={`part-${name}`} open={open === name}>
      <summary>{title}</summary>
      {content}
    </details>
  )
  return (
    <Page title={scenario.title} place="/scenarios" did={did}>
      <div class="shelf">
        <Cover title={scenario.title} icon={scenario.icon} image_url={image_url} />
        <h1>{scenario.title}</h1>
        <p class="lead">{scenario.description}</p>
        <p class="tags">
          {tagList(scenario.tags).map((tag) => (
            <span>{tag}</span>
          ))}
        </p>
        {practice ? <PracticeNote /> : null}
        <Notice>{notice}</Notice>
        <BeginForm
          scenarioId={scenario.id}
          questions={questions.map(({ name }) => name)}
          answers={typed && answersIn(typed)}
        />
        {part(
          'texts',
          'Edit this scenario',
          <>
            <p class="row">
              <a href="#begin">Play from here</a>
            </p>
            <ScenarioTexts scenario={scenario} typed={open === 'texts' ? typed : undefined} fault={fault} />
          </>,
        )}
        {part('cover', 'Picture', <CoverForm scenario={scenario} />)}
        {part(
          'questions',
          'Questions before it begins',
          <Questions
            scenarioId={scenario.id}
            opening={scenario.prompt}
            questions={questions}
            sample={sample}
          />,
        )}
        {part('stats', 'What is counted', <SchemaEditor {...stats} />)}
        {part(
          'cards',
          `Story cards (${cards.length})`,
          <CardEditors
            cards={cards}
            owner={{ scenario_id: scenario.id }}
            tried={tried}
            view={view}
            typed={open === 'cards' ? typed : undefined}
            fault={fault}
          />,
        )}
        <BringToScenario scenarioId={scenario.id} />
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
