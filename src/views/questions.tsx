import type { Place, Question } from '../domain/beginning.ts'
import { LIMITS } from '../domain/limits.ts'
import { type Answers, fill } from '../domain/placeholder.ts'
import { isBlank } from '../domain/text.ts'
import { Field } from './field.tsx'
import type { Markup } from './jsx/jsx-runtime.ts'
import { Prose } from './prose.tsx'

/** The fields for the questions of a scenario, each with its question beside it. */
export function QuestionFields({
  questions,
  answers = {},
  isNeeded = false,
  scope,
}: {
  questions: readonly string[]
  answers?: Answers | undefined
  isNeeded?: boolean
  scope?: string
}): Markup {
  return (
    <>
      {questions.map((question, i) => (
        <>
          <input type="hidden" name={`question-${i}`} value={question} />
          <Field
            label={question}
            name={`answer-${i}`}
            value={answers[question] ?? ''}
            limit={LIMITS.answer}
            {...(scope === undefined ? {} : { scope })}
            {...(isNeeded ? { more: { required: 'required' } } : {})}
          />
        </>
      ))}
    </>
  )
}

/** The way into a story: its questions are asked here, before it begins. */
export function BeginForm({
  scenarioId,
  questions,
  answers,
  isBeside = false,
}: {
  scenarioId: number
  questions: readonly string[]
  answers?: Answers | undefined
  /** It takes the place of an older one, beside another answer. */
  isBeside?: boolean
}): Markup {
  return (
    <form
      id="begin"
      class="begin"
      method="post"
      action="/adventures"
      hx-swap-oob={isBeside ? 'true' : undefined}
    >
      <input type="hidden" name="scenario_id" value={String(scenarioId)} />
      <QuestionFields questions={questions} answers={answers} isNeeded />
      <button type="submit" class="main">
        Begin this story
      </button>
    </form>
  )
}

const PLACES: Record<Place['at'], string> = {
  prompt: 'the opening',
  memory: 'plot essentials',
  authors_note: "author's note",
  ai_instructions: 'AI instructions',
  card: 'the card',
  character: 'the character',
  stats: 'what is counted',
}

export interface QuestionsProps {
  scenarioId: number
  opening: string
  questions: Question[]
  /** Answers to try the opening with. */
  sample?: Answers | undefined
}

/** What a scenario asks, where each question is used, and the opening with sample answers in it. */
export function Questions({
  scenarioId,
  opening,
  questions,
  sample,
  isBeside = false,
}: QuestionsProps & { isBeside?: boolean }): Markup {
  const action = `/scenarios/${scenarioId}/preview`
  return (
    <div id="questions" hx-swap-oob={isBeside ? 'true' : undefined}>
      {questions.length === 0 ? (
        <p class="about">
          Nothing is asked. Write {'${Your name}'} into a text, and whoever begins a story is asked for it.
        </p>
      ) : (
        <ul>
          {questions.map(({ name, places }) => (
            <li>
              <strong>{name}</strong>{' '}
              <span class="about">
                in{' '}
                {places
                  .map((place) => (place.name ? `${PLACES[place.at]} “${place.name}”` : PLACES[place.at]))
                  .join(', ')}
              </span>
            </li>
          ))}
        </ul>
      )}
      <form
        method="post"
        action={`${action}#preview`}
        hx-post={action}
        hx-target="#preview"
        hx-swap="outerHTML"
      >
        <QuestionFields questions={questions.map(({ name }) => name)} answers={sample} scope="sample-" />
        <button type="submit">Show the opening{questions.length > 0 ? ' with these answers' : ''}</button>
      </form>
      <Preview opening={opening} sample={sample} />
    </div>
  )
}

/** The opening as a story would begin with it. */
export function Preview({ opening, sample }: Pick<QuestionsProps, 'opening' | 'sample'>): Markup {
  if (!sample) return <div id="preview" role="status" />
  // What nobody has answered yet is shown as it is asked.
  const given = Object.fromEntries(Object.entries(sample).filter(([, answer]) => !isBlank(answer)))
  const text = fill(opening, given).trim()
  return (
    <div id="preview" role="status">
      {text === '' ? (
        <p>It begins with a blank page.</p>
      ) : (
        <div class="prose">
          <Prose text={text} />
        </div>
      )}
    </div>
  )
}
