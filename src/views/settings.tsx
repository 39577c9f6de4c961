import type { Tested } from '../app/settings.ts'
import { CLIPPED_THERE, type ModelFacts } from '../domain/prompt/measure.ts'
import { READ_TIMEOUT, type SettingsView } from '../domain/settings.ts'
import { Field } from './field.tsx'
import type { Child, Markup } from './jsx/jsx-runtime.ts'
import { Notice, Page } from './layout.tsx'

export interface SettingsProps {
  settings: SettingsView
  notice?: Child
  /** What was typed and not taken, by the name of its field. */
  typed?: Record<string, string> | undefined
  tested?: Tested | undefined
  /** What is known of the model that is chosen. */
  facts?: ModelFacts | undefined
}

/** How and where stories are told. */
export function SettingsPage({ settings, notice, typed, tested, facts }: SettingsProps): Markup {
  const value = (name: keyof SettingsView): string => typed?.[name] ?? String(settings[name])
  const number = (
    name: keyof SettingsView,
    label: string,
    min: number,
    max: number,
    hint: string,
    step = '1',
  ) => (
    <Field
      label={label}
      name={name}
      value={value(name)}
      type="number"
      hint={hint}
      more={{ min: String(min), max: String(max), step, required: 'required' }}
    />
  )
  return (
    <Page title="Settings" place="/settings">
      <div class="shelf">
        <h1>Settings</h1>
        <Notice>{notice}</Notice>
        {settings.practice ? (
          <p class="practice">
            No model is connected, so the <strong>practice narrator</strong> tells your stories. It is not a
            language model.
          </p>
        ) : null}
        <form method="post" action="/settings">
          <h2>The model</h2>
          <Field
            label="Address of the model server"
            name="endpoint_url"
            value={value('endpoint_url')}
            hint="On this machine or your own network, for example http://127.0.0.1:11434/v1 for Ollama, port 1234 for LM Studio, 8080 for llama.cpp, 5001 for KoboldCpp. Leave it empty to practise."
            more={{ inputmode: 'url', spellcheck: 'false', autocomplete: 'off' }}
          />
          <Field
            label="Model"
            name="model"
            value={value('model')}
            list="models"
            hint="As the server names it. Test the connection to see what it has."
            more={{ spellcheck: 'false', autocomplete: 'off' }}
          />
          <p class="row">
            <button
              type="submit"
              formaction="/settings/test"
              formnovalidate
              hx-post="/settings/test"
              hx-include="closest form"
              hx-target="#tested"
              hx-swap="outerHTML"
            >
              Test the connection
            </button>
          </p>
          <TestResult tested={tested} />
          {number(
            'read_timeout_seconds',
            'Longest silence',
            READ_TIMEOUT.min,
            READ_TIMEOUT.max,
            'Seconds that the model may say nothing. A large model can take minutes to load.',
          )}
          <fieldset class="choice">
            <legend>Protocol</legend>
            {(['chat', 'completion'] as const).map((mode) => (
              <label>
                <input type="radio" name="api_mode" value={mode} checked={value('api_mode') === mode} />{' '}
                {mode === 'chat' ? 'Chat (usual)' : 'Text completion'}
              </label>
            ))}
          </fieldset>
          <h2>The telling</h2>
          {number('max_output_tokens', 'Output tokens', 1, 100_000, 'The longest passage, in tokens.')}
          {number(
            'context_token_budget',
            'Context budget',
            256,
            200_000,
            'How much of the story the model is shown, in tokens. Not more than the model server is set to.',
          )}
          {facts ? <Window settings={settings} facts={facts} /> : null}
          {number('temperature', 'Temperature', 0, 5, 'Higher is wilder, lower is steadier.', 'any')}
          {number(
            'reasoning_max_tokens',
            'Reasoning tokens',
            -1,
            100_000,
            'Added for models that think first. 0 says nothing about it, −1 asks for none.',
          )}
          <Field
            label="Instructions to the narrator"
            name="narrator_prompt"
            value={value('narrator_prompt')}
            rows={6}
            hint="What every story begins with, before the scenario's own words."
          />
          <button type="submit" class="main">
            Save the settings
          </button>
        </form>
      </div>
    </Page>
  )
}

/** What a test of the connection found; it also fills the list of models. */
export function TestResult({ tested }: { tested: Tested | undefined }): Markup {
  return (
    <div id="tested" role="status">
      {tested ? <p class={tested.ok ? 'good' : 'bad'}>{sentenceOf(tested)}</p> : null}
      <datalist id="models">{tested?.ok ? tested.models.map((id) => <option value={id} />) : null}</datalist>
    </div>
  )
}

function sentenceOf(tested: Tested): string {
  if (!tested.ok) return tested.detail
  if (tested.models.length === 0) return 'The server answers, but names no model. Load one there.'
  const shown = tested.models.slice(0, 8).join(', ')
  const more = tested.models.length > 8 ? ` and ${tested.models.length - 8} more` : ''
  return `The server answers. Its models: ${shown}${more}.`
}

/** How much of the budget is really used, and why. */
function Window({ settings, facts }: { settings: SettingsView; facts: ModelFacts }): Markup | null {
  const { window, window_from, factor, samples } = facts
  if (window === null && samples === 0) return null
  const source =
    window_from === CLIPPED_THERE
      ? 'it cut a longer prompt off there'
      : `its server says so at ${window_from}`
  return (
    <p class="about">
      {window === null ? null : `The model takes in ${window} tokens: ${source}. `}
      {window !== null && window < settings.context_token_budget
        ? 'That is less than the budget, so it counts instead. '
        : null}
      {samples > 0 ? `Its tokens are counted as ${factor.toFixed(2)} of our estimate.` : null}
    </p>
  )
}
