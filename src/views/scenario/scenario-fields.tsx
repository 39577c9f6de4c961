import { seenMark } from '../../domain/changed-elsewhere.ts'
import type { StoryError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Scenario, ScenarioFields } from '../../domain/scenario.ts'
import type { Fields } from '../respond.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { KeptField, type KeptText } from '../kept-field.tsx'

/** The fields of a scenario that are texts. */
type TextField = Exclude<keyof ScenarioFields, 'stat_schema' | 'image'>

/** The texts that an author writes, in the order of the page. */
export const SCENARIO_TEXTS: (KeptText & { name: TextField })[] = [
  { name: 'title', label: 'Title', limit: LIMITS.name },
  {
    name: 'description',
    label: 'Description',
    rows: 2,
    hint: 'Shown in your library; the model never sees it.',
  },
  {
    name: 'prompt',
    label: 'Opening',
    rows: 6,
    hint: 'The first passage of the story. ${A question} is asked before it begins.',
    isTold: true,
  },
  {
    name: 'memory',
    label: 'Plot essentials',
    rows: 4,
    hint: 'What is always true. The model always sees it.',
    isTold: true,
  },
  {
    name: 'authors_note',
    label: "Author's note",
    rows: 2,
    hint: 'Style and mood, close to the newest passage.',
    isTold: true,
  },
  {
    name: 'ai_instructions',
    label: 'AI instructions',
    rows: 3,
    hint: 'How the narrator should work.',
    isTold: true,
  },
  { name: 'tags', label: 'Tags', hint: 'Separated by commas.' },
  {
    name: 'icon',
    label: 'Emoji',
    hint: 'Stands on the cover when there is no picture.',
    limit: LIMITS.icon,
    list: 'emoji',
  },
]

const EMOJI = [
  '🏰',
  '🐉',
  '🗡️',
  '🧙',
  '🌲',
  '⛰️',
  '🏝️',
  '⚓',
  '🚀',
  '🤖',
  '🔮',
  '🕯️',
  '🏮',
  '🗝️',
  '📜',
  '🌙',
  '👻',
  '🕵️',
  '🎭',
  '🐺',
  '❄️',
  '🔥',
]

/** All texts of a scenario. With script each is kept by itself; without, all together. */
export function ScenarioTexts({
  scenario,
  typed,
  fault,
}: {
  scenario: Scenario
  typed: Fields | undefined
  fault: StoryError | undefined
}): Markup {
  const action = `/scenarios/${scenario.id}`
  return (
    <form method="post" action={action} x-data="kept" x-on:input="typing">
      {SCENARIO_TEXTS.map((text) => (
        <KeptField text={text} action={action} stored={scenario[text.name]} typed={typed} fault={fault} />
      ))}
      <datalist id="emoji">
        {EMOJI.map((emoji) => (
          <option value={emoji} />
        ))}
      </datalist>
      <button type="submit" class="main">
        Save the scenario
      </button>
    </form>
  )
}

/** The picture of a scenario. A script makes it small before it is sent; without one it goes as it is. */
export function CoverForm({ scenario }: { scenario: Scenario }): Markup {
  return (
    <form method="post" action={`/scenarios/${scenario.id}/cover`} enctype="multipart/form-data">
      <input type="hidden" name="seen-image" value={seenMark(scenario.image)} />
      <label class="field">
        <span>Picture for the cover</span>
        <input
          type="file"
          name="picture"
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          aria-describedby="picture-hint"
          x-data="picture"
          x-on:change="shrink"
        />
        <small id="picture-hint">
          PNG, JPEG, WebP or GIF. It is kept at 400 pixels, without what else the file tells of you.
        </small>
      </label>
      {scenario.image ? (
        <label class="check">
          <input type="checkbox" name="no_picture" value="1" /> Remove the picture
        </label>
      ) : null}
      <p class="row">
        <button type="submit">Save the cover</button>
      </p>
    </form>
  )
}
