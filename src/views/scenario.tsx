import { LIMITS } from '../domain/limits.ts'
import { type Scenario, type ScenarioFields, tagList } from '../domain/scenario.ts'
import type { StoryCard } from '../domain/story-card.ts'
import { CardEditors, type TriedText } from './cards.tsx'
import { Cover } from './cover.tsx'
import { Field } from './field.tsx'
import type { Child, Markup } from './jsx/jsx-runtime.ts'
import { Notice, Page } from './layout.tsx'
import { PracticeNote } from './practice-note.tsx'
import { SchemaEditor, type SchemaProps } from './schema-editor.tsx'

export interface ScenarioProps {
  scenario: Scenario
  image_url: string
  cards: StoryCard[]
  questions: string[]
  stats: SchemaProps
  /** A text that was tried on the cards. */
  tried?: TriedText | undefined
  /** The part that says what is counted is open. */
  isCounting?: boolean
  practice: boolean
  notice?: Child
  /** What was typed and not taken, by the name of its field. */
  typed?: Record<string, string> | undefined
}

/** A scenario: what it is about, the way into a story, and for its author the texts behind it. */
export function ScenarioPage({
  scenario,
  image_url,
  cards,
  questions,
  stats,
  isCounting = false,
  tried,
  practice,
  notice,
  typed,
}: ScenarioProps): Markup {
  return (
    <Page title={scenario.title} place="/scenarios">
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
        <BeginForm scenario={scenario} questions={questions} answers={typed} />
        <details open={typed?.title !== undefined}>
          <summary>Edit this scenario</summary>
          <ScenarioForm scenario={scenario} typed={typed} />
        </details>
        <details open={isCounting}>
          <summary>What is counted</summary>
          <SchemaEditor {...stats} />
        </details>
        <details open={tried !== undefined}>
          <summary>Story cards ({cards.length})</summary>
          <CardEditors cards={cards} owner={{ scenario_id: scenario.id }} tried={tried} />
        </details>
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

/** The questions of a scenario are asked here, before the story begins. */
function BeginForm({
  scenario,
  questions,
  answers,
}: {
  scenario: Scenario
  questions: string[]
  answers: Record<string, string> | undefined
}): Markup {
  return (
    <form class="begin" method="post" action="/adventures">
      <input type="hidden" name="scenario_id" value={String(scenario.id)} />
      {questions.map((question, i) => (
        <Field
          label={question}
          name={`answer-${i}`}
          value={answers?.[`answer-${i}`] ?? ''}
          limit={LIMITS.answer}
          more={{ required: 'required' }}
        />
      ))}
      <button type="submit" class="main">
        Begin this story
      </button>
    </form>
  )
}

type TextField = Exclude<keyof ScenarioFields, 'stat_schema'>

function ScenarioForm({
  scenario,
  typed,
}: {
  scenario: Scenario
  typed: Record<string, string> | undefined
}): Markup {
  const value = (name: TextField): string => typed?.[name] ?? scenario[name]
  const field = (name: TextField, label: string, rows: number, hint?: string) => (
    <Field label={label} name={name} value={value(name)} rows={rows} hint={hint} />
  )
  return (
    <form method="post" action={`/scenarios/${scenario.id}`} enctype="multipart/form-data">
      {field('title', 'Title', 1)}
      {field('description', 'Description', 2, 'Shown in your library; the model never sees it.')}
      {field(
        'prompt',
        'Opening',
        6,
        'The first passage of the story. ${A question} is asked before it begins.',
      )}
      {field('memory', 'Plot essentials', 4, 'What is always true. The model always sees it.')}
      {field('authors_note', "Author's note", 2, 'Style and mood, close to the newest passage.')}
      {field('ai_instructions', 'AI instructions', 3, 'How the narrator should work.')}
      {field('tags', 'Tags', 1, 'Separated by commas.')}
      {field('icon', 'Emoji', 1, 'Stands on the cover when there is no picture.')}
      <label class="field">
        Picture for the cover
        <input
          type="file"
          name="picture"
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          x-data="picture"
          x-on:change="shrink"
        />
      </label>
      {scenario.image ? (
        <label class="check">
          <input type="checkbox" name="no_picture" value="1" /> Remove the picture
        </label>
      ) : null}
      <button type="submit" class="main">
        Save the scenario
      </button>
    </form>
  )
}
