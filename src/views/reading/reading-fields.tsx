import type { Reading } from '../../domain/reading.ts'
import { Choice } from '../ui/field.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { PanelHead } from '../panels/panel-head.tsx'

/** How the player likes to read: a form of its own, kept at once where there is script. */
export function ReadingForm({ reading }: { reading: Reading }): Markup {
  const { theme, typeface, size, measure, leading } = reading
  return (
    <form
      id="reading"
      class="reading"
      method="post"
      action="/settings/reading"
      hx-post="/settings/reading"
      hx-trigger="change, submit"
      hx-target="#reading-kept"
      hx-swap="outerHTML"
    >
      <div class="fields">
        <Choice label="Colours" name="theme" chosen={theme} options={THEMES} />
        <Choice label="Letters" name="typeface" chosen={typeface} options={TYPEFACES} />
        <Range label="Size" name="size" value={size} min={80} max={200} step={5} unit="%" />
        <Range
          label="Length of a line"
          name="measure"
          value={measure}
          min={45}
          max={90}
          step={1}
          unit="letters"
        />
        <Range
          label="Height of a line"
          name="leading"
          value={leading}
          min={120}
          max={220}
          step={5}
          unit="%"
        />
      </div>
      <Switch reading={reading} name="justify">
        Both edges straight
      </Switch>
      <Switch reading={reading} name="whole_replies">
        Show a reply only when it is finished
      </Switch>
      <Switch reading={reading} name="announce">
        Have a screen reader say what is told, sentence by sentence
      </Switch>
      <Switch reading={reading} name="shortcuts">
        Single keys are shortcuts (press ? for the list)
      </Switch>
      <p class="row">
        <button type="submit">Keep</button>
        <ReadingKept words="" />
      </p>
    </form>
  )
}

/** The same beside a story, where what is chosen is seen at once. */
export function ReadingPanel({ adventureId, reading }: { adventureId: number; reading: Reading }): Markup {
  return (
    <section class="plot" aria-label="Reading">
      <PanelHead adventureId={adventureId} name="reading">
        Reading
      </PanelHead>
      <ReadingForm reading={reading} />
    </section>
  )
}

/** Whether the choices are kept. */
export function ReadingKept({ words }: { words: string }): Markup {
  return (
    <span id="reading-kept" class="about" role="status">
      {words}
    </span>
  )
}

const THEMES = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['sepia', 'Sepia'],
  ['dark', 'Dark'],
  ['contrast', 'High contrast'],
] as const

const TYPEFACES = [
  ['serif', 'Serif'],
  ['sans', 'Sans serif'],
  ['dyslexia', 'Easier to tell apart'],
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
  reading: Reading
  name: 'justify' | 'whole_replies' | 'announce' | 'shortcuts'
  children?: string
}): Markup {
  return (
    <label class="check">
      <input type="checkbox" name={name} value="1" checked={reading[name]} /> {children}
    </label>
  )
}
