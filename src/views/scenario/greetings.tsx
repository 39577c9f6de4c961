import { LIMITS, MAX_GREETINGS } from '../../domain/limits.ts'
import { openingsOf, type Scenario } from '../../domain/scenario.ts'
import { fillForPreview } from '../../domain/text/placeholder.ts'
import { withoutMarkup } from '../../domain/text/prose-markup.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import type { FormFields } from '../respond.tsx'
import type { AutosaveText } from '../ui/autosave-form.tsx'
import { BlankRows, MoreRows } from '../ui/blank-rows.tsx'
import { Field } from '../ui/field.tsx'

/** All openings beside the first, as one text of the form. */
export const GREETINGS: AutosaveText = {
  name: 'greetings',
  label: 'Other openings',
  shown: (stored) => (JSON.parse(stored) as string[]).join('\n\n'),
}

export function GreetingFields({
  scenario,
  typed,
}: {
  scenario: Scenario
  typed: FormFields | undefined
}): Markup {
  const texts = typed && 'greeting-0' in typed ? greetingsIn(typed) : scenario.greetings
  return (
    <fieldset>
      <legend>{GREETINGS.label}</legend>
      <p class="about">Players choose among all openings before the story starts. Empty ones are removed.</p>
      {texts.map((text, i) => (
        <GreetingField text={text} i={i} />
      ))}
      <BlankRows of="greetings" from={texts.length} max={MAX_GREETINGS} row={blankGreeting} />
    </fieldset>
  )
}

function GreetingField({ text, i }: { text: string; i: number }): Markup {
  return (
    <div class="again">
      <Field
        label={`Opening ${i + 2}`}
        name={`greeting-${i}`}
        value={text}
        rows={4}
        limit={LIMITS.prose}
        more={{ placeholder: 'Another way to begin' }}
      />
    </div>
  )
}

function blankGreeting(i: number): Markup {
  return <GreetingField text="" i={i} />
}

/** Blank fields after those of a form that are all in use; nothing where one is left. */
export function MoreGreetings({ fields }: { fields: FormFields }): Markup | null {
  const all = Object.keys(fields).filter((name) => name.startsWith('greeting-'))
  if (isBlank(fields[`greeting-${all.length - 1}`] ?? '')) return null
  return <MoreRows of="greetings" from={all.length} max={MAX_GREETINGS} row={blankGreeting} />
}

/** Leaves out empty ones. */
export function greetingsIn(fields: FormFields): string[] {
  return Object.entries(fields)
    .filter(([name, text]) => name.startsWith('greeting-') && !isBlank(text))
    .map(([, text]) => text)
}

/** Openings that are listed at once; the others are folded. */
const LISTED = 8

/** Null for a scenario with one opening. */
export function OpeningChoice({ scenario, chosen }: { scenario: Scenario; chosen: string }): Markup | null {
  const openings = openingsOf(scenario)
  if (openings.length === 1) return null
  const choices = openings.map((text, i) => (
    <div>
      <label class="check">
        <input type="radio" name="greeting" value={String(i)} checked={String(i) === chosen} />
        <span dir="auto">{beginningOfText(text)}</span>
      </label>
    </div>
  ))
  return (
    <fieldset class="choice">
      <legend>How does it begin?</legend>
      {choices.slice(0, LISTED)}
      {choices.length > LISTED ? (
        <details open={Number(chosen) >= LISTED}>
          <summary>More openings ({choices.length - LISTED})</summary>
          {choices.slice(LISTED)}
        </details>
      ) : null}
    </fieldset>
  )
}

const SHOWN = 160

/** The first words of an opening on one line, with the names of its placeholders. */
function beginningOfText(text: string): string {
  const line = fillForPreview(withoutMarkup(text.slice(0, 4 * SHOWN)))
    .replaceAll(/\s+/g, ' ')
    .trim()
  const cut = cutTo(line, SHOWN)
  if (cut === '') return 'Without an opening'
  return cut === line ? line : `${cut}…`
}
