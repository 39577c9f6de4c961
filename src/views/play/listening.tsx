import type { Markup } from '../jsx/jsx-runtime.ts'
import { Select } from '../ui/field.tsx'

const SPEEDS = ['0.75', '1', '1.25', '1.5', '2'].map((speed) => [speed, `${speed}×`] as const)

/** The controls while a story is read aloud. A script shows them (`public/story/listen.js`). */
export function Listening(): Markup {
  return (
    <section id="listening" class="row" aria-label="Read aloud" hidden>
      <button type="button">Pause</button>
      <label class="row">
        <span>Speed</span>
        <Select options={SPEEDS} chosen="1" />
      </label>
      <button type="button" class="quiet">
        Stop reading
      </button>
    </section>
  )
}
