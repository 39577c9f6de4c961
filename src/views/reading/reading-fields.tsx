import { type ReaderPreferences, readerPreferenceFields } from '../../domain/reader-preferences.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Panel } from '../panels/panel.tsx'

/** With script the preferences are saved at once. */
export function ReadingForm({ reading }: { reading: ReaderPreferences }): Markup {
  const { theme, typeface, paragraphs } = reading
  return (
    <form
      id="reading"
      class="reading"
      method="post"
      action="/settings/reading"
      hx-post="/settings/reading"
      hx-trigger="change, submit"
      hx-target="#reading-saved"
      hx-swap="outerHTML"
    >
      {/* The first button of a form is the one that Enter in a field presses. */}
      <button type="submit" class="unseen" tabindex="-1">
        Save text settings
      </button>
      <Samples label="Theme" name="theme" chosen={theme} options={THEMES} />
      <Samples label="Font" name="typeface" chosen={typeface} options={TYPEFACES} />
      <Samples label="Paragraphs" name="paragraphs" chosen={paragraphs} options={PARAGRAPHS} />
      {STEPPED.map((name) => (
        <Stepper name={name} value={reading[name]} />
      ))}
      <Switch reading={reading} name="justify">
        Justify text
      </Switch>
      <Switch reading={reading} name="typography">
        Typographic quotes, dashes and ellipses (the stored text stays as it is)
      </Switch>
      <Switch reading={reading} name="whole_replies">
        Show passages only when complete (no streaming)
      </Switch>
      <Switch reading={reading} name="suggest">
        Suggest what to do next after every passage
      </Switch>
      <Switch reading={reading} name="announce">
        Announce new text to screen readers, sentence by sentence
      </Switch>
      <Switch reading={reading} name="shortcuts">
        Single-key shortcuts (press ? for the list)
      </Switch>
      <p class="row">
        <noscript>
          <button type="submit">Save</button>
        </noscript>
        <ReadingSaved words="" />
      </p>
    </form>
  )
}

/** Changes show at once in the story beside the panel. */
export function ReadingPanel({
  adventureId,
  reading,
}: {
  adventureId: number
  reading: ReaderPreferences
}): Markup {
  return (
    <Panel adventureId={adventureId} name="reading" title="Text settings" class="plot">
      <ReadingForm reading={reading} />
    </Panel>
  )
}

export function ReadingSaved({ words }: { words: string }): Markup {
  return (
    <span id="reading-saved" class="about" role="status">
      {words}
    </span>
  )
}

/** The numbers in their order, with the step of one press. Their limits are those of the fields. */
const STEPS = {
  size: { label: 'Text size', unit: '%', step: 10 },
  measure: { label: 'Line width', unit: ' characters', step: 5 },
  leading: { label: 'Line spacing', unit: '%', step: 10 },
} as const
type SteppedName = keyof typeof STEPS

export const STEPPED = Object.keys(STEPS) as SteppedName[]
const { properties: LIMITS } = readerPreferenceFields()

const PARAGRAPHS = [
  ['spaced', 'Spaced'],
  ['indented', 'Indented'],
] as const

const THEMES = [
  ['system', 'System'],
  ['light', 'Light'],
  ['sepia', 'Sepia'],
  ['dark', 'Dark'],
  ['contrast', 'Contrast'],
] as const

const TYPEFACES = [
  ['serif', 'Serif'],
  ['sans', 'Sans'],
  ['dyslexia', 'Legible'],
] as const

interface SamplesProps {
  label: string
  name: string
  chosen: string
  options: readonly (readonly [value: string, words: string])[]
}

function Samples({ label, name, chosen, options }: SamplesProps): Markup {
  return (
    <fieldset class="samples">
      <legend>{label}</legend>
      {options.map(([value, words]) => (
        <label>
          <input type="radio" name={name} value={value} checked={value === chosen} />
          <span class={`sample ${name}-${value}`}>{words}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The buttons send the form with one step less or more. */
export function Stepper({ name, value }: { name: SteppedName; value: number }): Markup {
  const { label, unit, step } = STEPS[name]
  const { minimum: min = 0, maximum: max = 0 } = LIMITS[name]
  const button = (to: number, words: string, sign: string) => (
    <button
      type="submit"
      name="step"
      value={`${name}:${to}`}
      aria-label={`${label}: ${words}`}
      disabled={to < min || to > max}
    >
      {sign}
    </button>
  )
  return (
    <div id={`stepper-${name}`} class="stepper">
      <label for={`reading-${name}`}>
        {label} <small>{`${min} to ${max}${unit}`}</small>
      </label>
      <span class="steps">
        {button(value - step, 'less', '−')}
        <input
          id={`reading-${name}`}
          type="number"
          name={name}
          value={String(value)}
          min={String(min)}
          max={String(max)}
          step="1"
          required
        />
        {button(value + step, 'more', '+')}
      </span>
    </div>
  )
}

interface SwitchProps {
  reading: ReaderPreferences
  name: 'justify' | 'typography' | 'whole_replies' | 'suggest' | 'announce' | 'shortcuts'
  children?: string
}

function Switch({ reading, name, children }: SwitchProps): Markup {
  return (
    <label class="check">
      <input type="checkbox" name={name} value="1" checked={reading[name]} /> {children}
    </label>
  )
}
