import type { ReaderPreferences } from '../../domain/reader-preferences.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { PanelHead } from '../panels/panel-head.tsx'
import { Choice } from '../ui/field.tsx'

/** The reader preferences. With script they are saved at once. */
export function ReadingForm({ reading }: { reading: ReaderPreferences }): Markup {
  const { theme, typeface, size, measure, leading } = reading
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
      <div class="fields">
        <Choice label="Theme" name="theme" chosen={theme} options={THEMES} />
        <Choice label="Font" name="typeface" chosen={typeface} options={TYPEFACES} />
        <Range label="Text size" name="size" value={size} min={80} max={200} step={5} unit="%" />
        <Range
          label="Line width"
          name="measure"
          value={measure}
          min={45}
          max={90}
          step={1}
          unit="characters"
        />
        <Range label="Line spacing" name="leading" value={leading} min={120} max={220} step={5} unit="%" />
      </div>
      <Switch reading={reading} name="justify">
        Justify text
      </Switch>
      <Switch reading={reading} name="whole_replies">
        Show passages only when complete (no streaming)
      </Switch>
      <Switch reading={reading} name="announce">
        Announce new text to screen readers, sentence by sentence
      </Switch>
      <Switch reading={reading} name="shortcuts">
        Single-key shortcuts (press ? for the list)
      </Switch>
      <p class="row">
        <button type="submit">Save</button>
        <ReadingSaved words="" />
      </p>
    </form>
  )
}

/** The reader preferences as a panel beside a story, where changes show at once. */
export function ReadingPanel({
  adventureId,
  reading,
}: {
  adventureId: number
  reading: ReaderPreferences
}): Markup {
  return (
    <section class="plot" aria-label="Text settings">
      <PanelHead adventureId={adventureId} name="reading">
        Text settings
      </PanelHead>
      <ReadingForm reading={reading} />
    </section>
  )
}

/** Whether the preferences are saved. */
export function ReadingSaved({ words }: { words: string }): Markup {
  return (
    <span id="reading-saved" class="about" role="status">
      {words}
    </span>
  )
}

const THEMES = [
  ['system', 'Match system'],
  ['light', 'Light'],
  ['sepia', 'Sepia'],
  ['dark', 'Dark'],
  ['contrast', 'High contrast'],
] as const

const TYPEFACES = [
  ['serif', 'Serif'],
  ['sans', 'Sans serif'],
  ['dyslexia', 'High legibility'],
] as const

function Range({
  label,
  name,
  value,
  min,
  max,
  step,
  unit,
}: {
  label: string
  name: string
  value: number
  min: number
  max: number
  step: number
  unit: string
}): Markup {
  return (
    <label class="field">
      <span>
        {label} <small>{`${min} to ${max} ${unit}`}</small>
      </span>
      <input
        type="number"
        name={name}
        value={String(value)}
        min={String(min)}
        max={String(max)}
        step={String(step)}
        required
      />
    </label>
  )
}

function Switch({
  reading,
  name,
  children,
}: {
  reading: ReaderPreferences
  name: 'justify' | 'whole_replies' | 'announce' | 'shortcuts'
  children?: string
}): Markup {
  return (
    <label class="check">
      <input type="checkbox" name={name} value="1" checked={reading[name]} /> {children}
    </label>
  )
}
