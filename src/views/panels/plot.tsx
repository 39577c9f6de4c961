import type { Answered } from '../../app/answers.ts'
import type { Adventure } from '../../domain/adventure.ts'
import type { StoryCard } from '../../domain/story-card.ts'
import type { Fields } from '../respond.tsx'
import { answersIn } from '../asked.ts'
import { CardEditors, type TriedText } from '../cards.tsx'
import { Field } from '../ui/field.tsx'
import { TakeStoryAway } from '../files/take-away.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { QuestionFields } from '../scenario/questions.tsx'
import { PanelHead } from './panel-head.tsx'

/** The fields of a plot, by the names of their columns. */
export const FIELDS = [
  { name: 'title', label: 'Title', rows: 1, hint: undefined },
  {
    name: 'memory',
    label: 'Plot essentials',
    rows: 5,
    hint: 'What is always true. The model always sees it.',
  },
  {
    name: 'authors_note',
    label: "Author's note",
    rows: 2,
    hint: 'Style and mood, close to the newest passage.',
  },
  { name: 'ai_instructions', label: 'AI instructions', rows: 3, hint: 'How the narrator should work.' },
  {
    name: 'story_summary',
    label: 'The story so far',
    rows: 4,
    hint: 'A summary for the model. What you write here is built upon, never replaced.',
  },
] as const

export interface PlotProps {
  adventure: Adventure
  /** The same as it is stored, where `adventure` holds what was typed and not taken. */
  kept?: Adventure
  cards: StoryCard[]
  tried?: TriedText | undefined
  answered: Answered
  /** What it began from, and how many things have changed there; null without one. */
  scenario: { title: string; changes: number } | null
  /** Answers that were typed and not taken. */
  typedAnswers?: Fields | undefined
}

/** The texts behind one story, and its cards. */
export function Plot(props: PlotProps): Markup {
  const { adventure, kept = adventure, cards, tried, scenario } = props
  return (
    <section class="plot" aria-label="Plot and cards" x-data="autosave">
      <PanelHead adventureId={adventure.id} name="plot">
        Plot and cards
      </PanelHead>
      <form id="plot-form" method="post" action={`/adventures/${adventure.id}`} x-on:input="typing">
        {FIELDS.map(({ name, label, rows, hint }) => (
          <>
            <input type="hidden" name={`was-${name}`} value={kept[name]} />
            <Field label={label} name={name} value={adventure[name]} rows={rows} hint={hint} />
          </>
        ))}
        <button type="submit" class="main">
          Save the plot
        </button>
      </form>
      <PlotState adventureId={adventure.id} words="" />
      {scenario ? <FromScenario {...props} scenario={scenario} /> : null}
      <h2>Story cards</h2>
      <CardEditors cards={cards} owner={{ adventure_id: adventure.id }} tried={tried} />
      <TakeStoryAway adventureId={adventure.id} />
      <details>
        <summary>Delete this story</summary>
        <form class="row" method="post" action={`/adventures/${adventure.id}/delete`}>
          <p>All its passages and attempts go with it.</p>
          <button type="submit" class="danger">
            Delete “{adventure.title}”
          </button>
        </form>
      </details>
    </section>
  )
}

/** The way to what the scenario says now, and the answers that its texts were filled with. */
function FromScenario({
  adventure,
  scenario: { title, changes },
  answered: { questions, placeholders, needed },
  typedAnswers,
}: PlotProps & { scenario: { title: string; changes: number } }): Markup {
  return (
    <>
      <p class="row">
        <a href={`/adventures/${adventure.id}/refresh`}>Update from the scenario “{title}”</a>{' '}
        <span class="about">{newsOf(changes, needed.length)}</span>
      </p>
      {questions.length > 0 ? (
        <details open={typedAnswers !== undefined}>
          <summary>Answers ({questions.length})</summary>
          <form method="post" action={`/adventures/${adventure.id}/answers`}>
            <QuestionFields
              questions={questions}
              answers={{ ...placeholders, ...(typedAnswers && answersIn(typedAnswers)) }}
            />
            <button type="submit">Keep the answers and see what they change</button>
          </form>
        </details>
      ) : null}
    </>
  )
}

function newsOf(changes: number, needed: number): string {
  const news = [
    changes === 0
      ? ''
      : changes === 1
        ? '1 thing is different there'
        : `${changes} things are different there`,
    needed === 0 ? '' : needed === 1 ? '1 question is open' : `${needed} questions are open`,
  ].filter(Boolean)
  return news.length === 0 ? 'Nothing is different there.' : `${news.join(', ')}.`
}

/** Whether what was typed is kept. Put in anew after each pause in the typing. */
export function PlotState({ adventureId, words }: { adventureId: number; words: string }): Markup {
  return (
    <p
      id="plot-state"
      role="status"
      class="about"
      hx-post={`/adventures/${adventureId}`}
      hx-include="#plot-form"
      hx-trigger="autosave"
      hx-swap="outerHTML"
    >
      {words}
    </p>
  )
}
