import { LIMITS } from '../../domain/limits.ts'
import type { Scenario } from '../../domain/scenario.ts'
import type { AskedAt, PlaceholderQuestion } from '../../domain/start-from-scenario.ts'
import { type Answers, asksForReader } from '../../domain/text/placeholder.ts'
import { isBlank } from '../../lib/text.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import type { FormFields } from '../respond.tsx'
import { Field } from '../ui/field.tsx'
import { answersIn } from '../ui/placeholder-fields.ts'
import { OpeningChoice } from './greetings.tsx'

/** The name is sent along, because the scenario may have changed since. */
export function PlaceholderFields({
  placeholders,
  answers = {},
  names = [],
  isRequired = false,
  scope,
}: {
  /** With `places`, the hint says where each is used. */
  placeholders: readonly { name: string; places?: readonly AskedAt[] }[]
  answers?: Answers | undefined
  /** Names from earlier stories: the last one stands in the field for a name, all can be chosen. */
  names?: readonly string[]
  isRequired?: boolean
  scope?: string
}): Markup {
  return (
    <>
      {placeholders.map(({ name, places }, i) => (
        <>
          <input type="hidden" name={`question-${i}`} value={name} />
          <Field
            label={name}
            name={`answer-${i}`}
            value={shownAnswer(name, answers, names)}
            {...(asksForReader(name) && names.length > 1 ? { list: NAMES } : {})}
            limit={LIMITS.answer}
            hint={places && `Used in ${usesIn(places)}.`}
            {...(scope === undefined ? {} : { scope })}
            {...(isRequired ? { more: { required: 'required' } } : {})}
          />
        </>
      ))}
      {names.length > 1 ? (
        <datalist id={NAMES}>
          {names.map((name) => (
            <option value={name} />
          ))}
        </datalist>
      ) : null}
    </>
  )
}

const NAMES = 'player-names'

function shownAnswer(question: string, answers: Answers, [last = '']: readonly string[]): string {
  if (Object.hasOwn(answers, question)) return answers[question] ?? ''
  return asksForReader(question) ? last : ''
}

interface StartFormProps {
  scenario: Scenario
  placeholders: readonly PlaceholderQuestion[]
  names: readonly string[]
  typed?: FormFields | undefined
}

export function StartForm({ scenario, placeholders, names, typed }: StartFormProps): Markup {
  return (
    <form id="begin" class="begin" method="post" action="/adventures">
      <input type="hidden" name="scenario_id" value={String(scenario.id)} />
      <OpeningChoice scenario={scenario} chosen={typed?.greeting ?? '0'} />
      <PlaceholderFields
        placeholders={placeholders.map(({ name }) => ({ name }))}
        answers={typed && answersIn(typed)}
        names={names}
        isRequired
      />
      <button type="submit" class="main">
        Start story
      </button>
    </form>
  )
}

const USES: Record<Exclude<AskedAt['at'], 'card' | 'character'>, string> = {
  prompt: 'the opening',
  memory: 'the plot essentials',
  authors_note: "the author's note",
  ai_instructions: 'the AI instructions',
  example_dialogue: 'the example dialogue',
  stats: 'the stats',
}

function usesIn(places: readonly AskedAt[]): string {
  return [...new Set(places.map(useOf))].join(', ')
}

function useOf({ at, name }: AskedAt): string {
  if (at === 'card') return isBlank(name) ? 'an unnamed card' : `the card “${name}”`
  return at === 'character' ? `the character “${name}”` : USES[at]
}

export function PlaceholderList({ placeholders }: { placeholders: readonly PlaceholderQuestion[] }): Markup {
  return (
    <div id="questions">
      <p class="about">
        Write, for example, {'${Your name}'} in any text: players are asked for it before the story starts.
      </p>
      {placeholders.length === 0 ? <p>No placeholders yet.</p> : null}
      <ul>
        {placeholders.map(({ name, places }) => (
          <li>
            <strong>{name}</strong> <span class="about">in {usesIn(places)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
