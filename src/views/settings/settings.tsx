import type { Tested } from '../../app/settings.ts'
import type { Whereabouts } from '../../app/whereabouts.ts'
import { CLIPPED_THERE, type ModelFacts } from '../../domain/prompt/measure.ts'
import type { Reading } from '../../domain/reading.ts'
import type { SettingsView } from '../../domain/settings.ts'
import { amount } from '../ui/format-number.ts'
import { Field } from '../ui/field.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page } from '../layout.tsx'
import { ReadingForm } from '../reading/reading-fields.tsx'
import { FindServers } from './found-servers.tsx'
import { SettingsFields } from './settings-fields.tsx'
import { WhereaboutsSection } from './whereabouts.tsx'

export interface SettingsProps {
  settings: SettingsView
  notice?: Child
  /** What was done before. */
  did?: string
  /** What was typed and not taken, by the name of its field. */
  typed?: Record<string, string> | undefined
  tested?: Tested | undefined
  /** Model servers on this machine, when the player has looked for them. */
  found?: Child
  /** What is known of the model that is chosen. */
  facts: ModelFacts
  /** The settings beyond the common ones that its server takes; null while nobody knows the server. */
  takes: ReadonlySet<string> | null
  serverName: string
  whereabouts: Whereabouts
  reading: Reading
}

/** The parts of the page, by the ids of their headings. */
const PARTS = [
  ['model', 'The model'],
  ['telling', 'The telling'],
  ['choosing', 'The choice of words'],
  ['thinking', 'Thinking'],
  ['numbers', 'Numbers and memory'],
  ['reading-settings', 'Reading'],
  ['whereabouts', 'Where can this story go'],
] as const

/** How and where stories are told. */
export function SettingsPage(props: SettingsProps): Markup {
  const { settings, notice, did, typed, tested, found, facts, whereabouts, reading } = props
  const value = (name: keyof SettingsView): string => typed?.[name] ?? String(settings[name] ?? '')
  return (
    <Page title="Settings" place="/settings" did={did}>
      <div class="shelf settings">
        <h1>Settings</h1>
        <div class="jumps">
          <nav aria-label="Settings">
            {PARTS.map(([id, name]) => (
              <a href={`#${id}`}>{name}</a>
            ))}
          </nav>
          <button type="submit" form="settings" class="main">
            Save
          </button>
        </div>
        <div class="parts">
          <Notice>{notice}</Notice>
          {settings.practice ? (
            <p class="practice">
              No model is connected, so the <strong>practice narrator</strong> tells your stories. It is not a
              language model.
            </p>
          ) : null}
          <h2 id="model">The model</h2>
          <FindServers found={found} />
          <form id="settings" method="post" action="/settings">
            <Field
              label="Address of the model server"
              name="endpoint_url"
              value={value('endpoint_url')}
              hint="On this machine or your own network, for example http://127.0.0.1:11434/v1 for Ollama, port 1234 for LM Studio, 8080 for llama.cpp, 5001 for KoboldCpp. Leave it empty to practise."
              more={{ inputmode: 'url', spellcheck: 'false', autocomplete: 'off' }}
            />
            <ServerWords {...props} />
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
                formaction="/settings/test#tested"
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
            <SettingsFields {...props} value={value} window={<Window settings={settings} facts={facts} />} />
            <button type="submit" class="main">
              Save the settings
            </button>
          </form>
          <h2 id="reading-settings">Reading</h2>
          <ReadingForm reading={reading} />
          <WhereaboutsSection settings={settings} whereabouts={whereabouts} />
        </div>
      </div>
    </Page>
  )
}

/** What a test of the connection found; it also fills the list of models. */
export function TestResult({ tested }: { tested: Tested | undefined }): Markup {
  return (
    <div id="tested" role="status">
      {tested ? <p class={tested.ok ? 'good' : 'bad'}>{sentenceOf(tested)}</p> : null}
      {tested?.advice ? <p class="about">{tested.advice}</p> : null}
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

/** Which server answers there, and the lines that say so. */
function ServerWords({ facts, serverName }: SettingsProps): Markup | null {
  if (facts.server === 'unknown') return null
  return (
    <p class="about">
      This is {serverName}, as it says at {facts.evidence}.
    </p>
  )
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
      {window === null ? null : `The model takes in ${amount(window)} tokens: ${source}. `}
      {window !== null && window < settings.context_token_budget
        ? 'That is less than the budget, so it counts instead. '
        : null}
      {samples > 0 ? `Its tokens are counted as ${factor.toFixed(2)} of our estimate.` : null}
    </p>
  )
}
