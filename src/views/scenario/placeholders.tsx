import { LIMITS } from '../../domain/limits.ts'
import type { AskedAt, PlaceholderQuestion } from '../../domain/start-from-scenario.ts'
import { languageOf } from '../../domain/text/language.ts'
import { type Answers, fillPlaceholders } from '../../domain/text/placeholder.ts'
import { isBlank } from '../../lib/text.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { ProseBlock } from '../prose/prose.tsx'
import { Field } from '../ui/field.tsx'

/** A field for each placeholder. Its name is sent along, because the scenario may have changed since. */
export function PlaceholderFields({
  placeholders,
  answers = {},
  isRequired = false,
  scope,
}: {
  /** With `places`, the hint says where each is used. */
  placeholders: readonly { name: string; places?: readonly AskedAt[] }[]
  answers?: Answers | undefined
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
            value={Object.hasOwn(answers, name) ? (answers[name] ?? '') : ''}
            limit={LIMITS.answer}
            hint={places && `Used in ${usesIn(places)}.`}
            {...(scope === undefined ? {} : { scope })}
            {...(isRequired ? { more: { required: 'required' } } : {})}
          />
        </>
      ))}
    </>
  )
}

/** Starts a story, with its placeholders filled in. */
export function StartForm({
  scenarioId,
  placeholders,
  answers,
  isOutOfBand = false,
}: {
  scenarioId: number
  placeholders: readonly PlaceholderQuestion[]
  answers?: Answers | undefined
  /** It replaces the form on the page, in the response to something else. */
  isOutOfBand?: boolean
}): Markup {
  return (
    <form
      id="begin"
      class="begin"
      method="post"
      action="/adventures"
      hx-swap-oob={isOutOfBand ? 'true' : undefined}
    >
      <input type="hidden" name="scenario_id" value={String(scenarioId)} />
      <PlaceholderFields placeholders={namesOf(placeholders)} answers={answers} isRequired />
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
  stats: 'the stats',
}

function usesIn(places: readonly AskedAt[]): string {
  return [...new Set(places.map(useOf))].join(', ')
}

function useOf({ at, name }: AskedAt): string {
  if (at === 'card') return isBlank(name) ? 'an unnamed card' : `the card “${name}”`
  return at === 'character' ? `the character “${name}”` : USES[at]
}

interface PlaceholderListProps {
  scenarioId: number
  opening: string
  placeholders: readonly PlaceholderQuestion[]
  /** Values to preview the opening with. */
  sample?: Answers | undefined
}

/** The placeholders of a scenario, where each is used, and a preview of the opening. */
export function PlaceholderList({
  scenarioId,
  opening,
  placeholders,
  sample,
  isOutOfBand = false,
}: PlaceholderListProps & { isOutOfBand?: boolean }): Markup {
  const action = `/scenarios/${scenarioId}/preview`
  return (
    <div id="questions" hx-swap-oob={isOutOfBand ? 'true' : undefined}>
      {placeholders.length === 0 ? (
        <p class="about">
          No placeholders yet. Write, for example, {'${Your name}'} in any text: players fill it in before the
          story starts.
        </p>
      ) : (
        <ul>
          {placeholders.map(({ name, places }) => (
            <li>
              <strong>{name}</strong> <span class="about">in {usesIn(places)}</span>
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
        <PlaceholderFields placeholders={namesOf(placeholders)} answers={sample} scope="sample-" />
        <button type="submit">Preview the opening</button>
      </form>
      <OpeningPreview opening={opening} sample={sample} />
    </div>
  )
}

/** The opening with sample values. A placeholder without a value stays as it is written. */
export function OpeningPreview({
  opening,
  sample,
}: Pick<PlaceholderListProps, 'opening' | 'sample'>): Markup {
  if (!sample) return <div id="preview" role="status" />
  const filled = Object.fromEntries(Object.entries(sample).filter(([, value]) => !isBlank(value)))
  const text = fillPlaceholders(opening, filled).trim()
  return (
    <div id="preview" role="status">
      {text === '' ? (
        <p>This scenario has no opening.</p>
      ) : (
        <ProseBlock text={text} language={{ language: languageOf(text), marks: 'und' }} />
      )}
    </div>
  )
}

function namesOf(placeholders: readonly PlaceholderQuestion[]): { name: string }[] {
  return placeholders.map(({ name }) => ({ name }))
}
