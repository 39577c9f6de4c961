import type { Place, Question } from '../../domain/beginning.ts'
import { LIMITS } from '../../domain/limits.ts'
import { type Answers, fill } from '../../domain/placeholder.ts'
import { isBlank } from '../../lib/text.ts'
import { Field } from '../ui/field.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Prose } from '../play/prose.tsx'

/** The fields for the questions of a scenario, each with its question beside it; with `places`, where it is asked. */
export function QuestionFields({
  questions,
  answers = {},
  isNeeded = false,
  scope,
}: {
  questions: readonly { name: string; places?: readonly Place[] }[]
  answers?: Answers | undefined
  isNeeded?: boolean
  scope?: string
}): Markup {
  return (
    <>
      {questions.map(({ name, places }, i) => (
        <>
          <input type="hidden" name={`question-${i}`} value={name} />
          <Field
            label={name}
            name={`answer-${i}`}
            value={Object.hasOwn(answers, name) ? (answers[name] ?? '') : ''}
            limit={LIMITS.answer}
            hint={places && `Asked in ${[...new Set(places.map(wordsFor))].join(', ')}.`}
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
      <QuestionFields questions={questions.map((name) => ({ name }))} answers={answers} isNeeded />
      <button type="submit" class="main">
        Begin this story
      </button>
    </form>
  )
}

const PLACES: Record<Exclude<Place['at'], 'card' | 'character'>, string> = {
  prompt: 'the opening',
  memory: 'the plot essentials',
  authors_note: "the author's note",
  ai_instructions: 'the AI instructions',
  stats: 'what is counted',
}

function wordsFor({ at, name }: Place): string {
  if (at === 'card') return name.trim() === '' ? 'a card without a name' : `the card “${name}”`
  return at === 'character' ? `the character “${name}”` : PLACES[at]
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
              <strong>{name}</strong> <span class="about">in {places.map(wordsFor).join(', ')}</span>
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
        <QuestionFields
          questions={questions.map(({ name }) => ({ name }))}
          answers={sample}
          scope="sample-"
        />
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
