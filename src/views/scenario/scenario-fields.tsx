import { versionOf } from '../../domain/edit-conflict.ts'
import type { StoryError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { type Scenario, type ScenarioFields, UNTITLED_SCENARIO } from '../../domain/scenario.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import type { FormFields } from '../respond.tsx'
import { AutosaveField, type AutosaveText } from '../ui/autosave-field.tsx'
import { GUIDANCE, PLOT_ESSENTIALS } from '../ui/plot-fields.ts'
import { scenarioUrl } from '../urls.ts'
import { GreetingFields } from './greetings.tsx'

type TextField = Exclude<keyof ScenarioFields, 'stat_schema' | 'image' | 'greetings'>

/** The texts of a scenario, in the order of the page. */
export const SCENARIO_TEXTS: (AutosaveText & { name: TextField })[] = [
  { name: 'title', label: 'Title', limit: LIMITS.name, more: { placeholder: UNTITLED_SCENARIO } },
  {
    name: 'description',
    label: 'Description',
    rows: 2,
    hint: 'Shown in your library. Never sent to the model.',
  },
  {
    name: 'prompt',
    label: 'Opening',
    rows: 6,
    hint: 'The first passage of the story. Players fill in ${placeholders} before it starts.',
    isSent: true,
  },
  { ...PLOT_ESSENTIALS, rows: 4 },
  ...GUIDANCE,
  { name: 'tags', label: 'Tags', hint: 'Separate with commas.' },
  {
    name: 'icon',
    label: 'Emoji',
    hint: 'Shown on the cover if there is no picture.',
    limit: LIMITS.icon,
    list: 'emoji',
  },
]

const EMOJI = '🏰 🐉 🗡️ 🧙 🌲 ⛰️ 🏝️ ⚓ 🚀 🤖 🔮 🕯️ 🏮 🗝️ 📜 🌙 👻 🕵️ 🎭 🐺 ❄️ 🔥'.split(' ')

/** The texts of a scenario. With script each is saved on its own; without, all are saved together. */
export function ScenarioTexts(props: {
  scenario: Scenario
  typed?: FormFields | undefined
  fault?: StoryError | undefined
}): Markup {
  const { scenario, fault } = props
  // A default title is not shown as something to edit.
  const typed = props.typed ?? (scenario.title === UNTITLED_SCENARIO ? { title: '' } : undefined)
  const action = scenarioUrl(scenario.id)
  return (
    <form method="post" action={action}>
      {SCENARIO_TEXTS.map((text) => (
        <>
          <AutosaveField
            text={text}
            action={action}
            stored={scenario[text.name]}
            typed={typed}
            fault={fault}
          />
          {text.name === 'prompt' ? <GreetingFields {...props} /> : null}
        </>
      ))}
      <datalist id="emoji">
        {EMOJI.map((emoji) => (
          <option value={emoji} />
        ))}
      </datalist>
      <noscript>
        <button type="submit" class="main">
          Save scenario
        </button>
      </noscript>
    </form>
  )
}

/** The cover picture. A script shrinks it before the upload. */
export function CoverForm({ scenario }: { scenario: Scenario }): Markup {
  return (
    <form method="post" action={`/scenarios/${scenario.id}/cover`} enctype="multipart/form-data">
      <input type="hidden" name="seen-image" value={versionOf(scenario.image)} />
      <label class="field">
        <span>Cover picture</span>
        <input
          type="file"
          name="picture"
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          aria-describedby="picture-hint"
          x-data="picture"
          x-on:change="shrink"
        />
        <small id="picture-hint">
          PNG, JPEG, WebP or GIF. Resized to 400 pixels; location and other metadata are removed.
        </small>
      </label>
      {scenario.image ? (
        <label class="check">
          <input type="checkbox" name="no_picture" value="1" /> Remove picture
        </label>
      ) : null}
      <p class="row">
        <button type="submit">Save cover</button>
      </p>
    </form>
  )
}
