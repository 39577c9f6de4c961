import { versionOf } from '../../domain/edit-conflict.ts'
import { LIMITS } from '../../domain/limits.ts'
import { type Scenario, UNTITLED_SCENARIO } from '../../domain/scenario.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import {
  type AutosavedForm,
  AutosaveField,
  AutosaveForm,
  type AutosaveText,
  type Refused,
} from '../ui/autosave-form.tsx'
import { GUIDANCE, PLOT_ESSENTIALS } from '../ui/plot-fields.ts'
import { editorUrl, scenarioUrl } from '../urls.ts'
import { GREETINGS, GreetingFields } from './greetings.tsx'

const SCENARIO_TEXTS: AutosaveText[] = [
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

export function scenarioForm(scenario: Scenario): AutosavedForm {
  return {
    id: 'scenario-form',
    action: scenarioUrl(scenario.id),
    page: editorUrl(scenario.id, 'story'),
    texts: [...SCENARIO_TEXTS, GREETINGS],
    stored: scenario,
  }
}

export function ScenarioTexts({
  scenario,
  typed,
  fault,
}: {
  scenario: Scenario
} & Refused): Markup {
  const form = scenarioForm(scenario)
  // A default title is not shown as something to edit.
  const shown = typed ?? (scenario.title === UNTITLED_SCENARIO ? { title: '' } : undefined)
  return (
    <AutosaveForm form={form} button="Save scenario" typed={typed} fault={fault}>
      {SCENARIO_TEXTS.map((text) => (
        <>
          <AutosaveField form={form} text={text} typed={shown} />
          {text.name === 'prompt' ? <GreetingFields scenario={scenario} typed={typed} /> : null}
        </>
      ))}
      <datalist id="emoji">
        {EMOJI.map((emoji) => (
          <option value={emoji} />
        ))}
      </datalist>
    </AutosaveForm>
  )
}

/** A script shrinks the picture before the upload. */
export function CoverForm({ scenario }: { scenario: Scenario }): Markup {
  return (
    <form method="post" action={`/scenarios/${scenario.id}/cover`} enctype="multipart/form-data">
      <input type="hidden" name="version" value={versionOf(scenario, ['image'])} />
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
