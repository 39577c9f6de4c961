import { presetOf, type SamplingPreset, type SamplingSettings } from '../../domain/model/sampling-presets.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'

const PRESETS: [name: SamplingPreset, label: string, about: string][] = [
  ['steady', 'Steady', 'Predictable, keeps to the story so far. Good for small models and for stats.'],
  ['balanced', 'Balanced', 'For most models and stories.'],
  ['wild', 'Wild', 'Surprising turns and words. Needs a capable model.'],
]

/** Buttons that save the settings with the sampling of a preset. */
export function PresetButtons({ settings }: { settings: SamplingSettings }): Markup {
  const chosen = presetOf(settings)
  return (
    <fieldset class="presets">
      <legend class="unseen">Sampling presets</legend>
      {PRESETS.map(([name, label, about]) => (
        <button type="submit" name="preset" value={name} aria-pressed={String(name === chosen)}>
          <strong>{label}</strong>
          <small>{about}</small>
        </button>
      ))}
      <p class="about">
        {chosen === null
          ? 'The numbers below are your own. A preset replaces them.'
          : 'A preset sets the numbers below.'}
      </p>
    </fieldset>
  )
}
