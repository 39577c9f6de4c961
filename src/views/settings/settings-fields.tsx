import { READ_TIMEOUT, type SettingsView } from '../../domain/settings.ts'
import { Choice, Field } from '../ui/field.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'

export interface SettingsFieldsProps {
  value: (name: keyof SettingsView) => string
  takes: ReadonlySet<string> | null
  serverName: string
  /** How much of the budget is really used. */
  window: Child
}

/** Everything that a player may set about the telling, each with a line of help. */
export function SettingsFields({ value, takes, serverName, window }: SettingsFieldsProps): Markup {
  const number = (name: keyof SettingsView, label: string, [min, max]: [number, number], hint: string) => (
    <Field
      label={label}
      name={name}
      value={value(name)}
      type="number"
      hint={hint}
      more={{ min: String(min), max: String(max), required: 'required' }}
    />
  )
  const isTaken = (name: keyof SettingsView) => takes === null || takes.has(name)
  const hintFor = (name: keyof SettingsView, hint: string) =>
    isTaken(name) ? hint : `${hint} ${serverName} does not take it, so it is not sent.`
  /** Left empty, it is not sent; what the server does not take is only shown where it was set for another. */
  const perhaps = (name: keyof SettingsView, label: string, [min, max]: [number, number], hint: string) =>
    isTaken(name) || value(name) !== '' ? (
      <Field
        label={label}
        name={name}
        value={value(name)}
        type="number"
        hint={hintFor(name, hint)}
        more={{ min: String(min), max: String(max), step: 'any' }}
      />
    ) : null
  const choice = (name: keyof SettingsView, label: string, options: [string, string][], hint: string) => (
    <Choice label={label} name={name} chosen={value(name)} options={options} hint={hint} />
  )
  return (
    <>
      <div class="pair">
        {choice(
          'api_mode',
          'Protocol',
          [
            ['chat', 'Chat (usual)'],
            ['completion', 'Text completion'],
          ],
          'Text completion is for base models without a chat template.',
        )}
        {number(
          'read_timeout_seconds',
          'Longest silence',
          [READ_TIMEOUT.min, READ_TIMEOUT.max],
          'Seconds that the model may say nothing. A large model can take minutes to load.',
        )}
        {perhaps(
          'num_ctx',
          'Window to ask Ollama for',
          [512, 1_000_000],
          'In tokens. Ollama gives a model a small window unless it is asked; this asks it, in its own protocol.',
        )}
      </div>
      <h2 id="telling">The telling</h2>
      <div class="pair">
        {number('max_output_tokens', 'Output tokens', [1, 100_000], 'The longest passage, in tokens.')}
        {number(
          'context_token_budget',
          'Context budget',
          [256, 200_000],
          'How much of the story the model is shown, in tokens. Not more than the model server is set to.',
        )}
      </div>
      {window}
      <Field
        label="Instructions to the narrator"
        name="narrator_prompt"
        value={value('narrator_prompt')}
        rows={6}
        hint="What every story begins with, before the scenario's own words."
      />
      {choice(
        'stop_at_player',
        'When the model begins to write your line',
        [
          ['false', 'Let it go on'],
          ['true', 'End the passage there'],
        ],
        'Some models play the hero themselves. This ends a passage where they begin to.',
      )}
      <h2 id="choosing">The choice of words</h2>
      <p class="about">
        Temperature is always sent. What else is left empty is not sent: the model server’s own value holds.
      </p>
      <div class="pair">
        <Field
          label="Temperature"
          name="temperature"
          value={value('temperature')}
          type="number"
          hint="Higher is wilder, lower is steadier. Around 0.8 suits most models."
          more={{ min: '0', max: '5', step: 'any', required: 'required' }}
        />
        {perhaps(
          'min_p',
          'Min-p',
          [0, 1],
          'Leaves out words far less likely than the best one. 0.02 to 0.1 with temperature 1 is what storytellers use.',
        )}
        {perhaps('top_p', 'Top-p', [0, 1], 'Takes only the likeliest words that together reach this share.')}
        {perhaps(
          'repeat_penalty',
          'Repeat penalty',
          [0.1, 3],
          'Above 1 makes words that were used less likely. Try 1.05.',
        )}
        {perhaps(
          'dry_multiplier',
          'DRY',
          [0, 5],
          'Punishes going on in a phrase that was said before. Try 0.8.',
        )}
        {perhaps(
          'xtc_probability',
          'XTC',
          [0, 1],
          'How often the obvious words are left out. Try 0.5; leave it empty where numbers are counted.',
        )}
      </div>
      <h2 id="thinking">Thinking</h2>
      <div class="pair">
        {number(
          'reasoning_max_tokens',
          'Reasoning tokens',
          [-1, 100_000],
          'Added for models that think first. 0 says nothing about it, −1 asks for none.',
        )}
        {choice(
          'reasoning_effort',
          'Effort',
          [
            ['', 'Not sent'],
            ['low', 'Low'],
            ['medium', 'Medium'],
            ['high', 'High'],
          ],
          hintFor('reasoning_effort', 'How hard such a model thinks.'),
        )}
      </div>
      <h2 id="numbers">Numbers and memory</h2>
      {choice(
        'second_call',
        'Ask for the changes by themselves',
        [
          ['needed', 'When the model forgot them'],
          ['always', 'After every passage'],
          ['off', 'Never'],
        ],
        'Where a story counts something and a passage came without its changes, one short second request asks for them.',
      )}
      <div class="pair">
        <Field
          label="Embedding model"
          name="embedding_model"
          value={value('embedding_model')}
          list="models"
          hint="Finds memories by meaning, besides by words. Leave it empty where the server has none."
          more={{ spellcheck: 'false', autocomplete: 'off' }}
        />
        <Field
          label="Summary model"
          name="summary_model"
          value={value('summary_model')}
          list="models"
          hint="Makes memories and summaries instead of the model that tells. Empty is best with one model in memory."
          more={{ spellcheck: 'false', autocomplete: 'off' }}
        />
        {number(
          'memory_bank_capacity',
          'Memories kept of a story',
          [1, 1000],
          'Beyond these, the one that was not called for longest is forgotten.',
        )}
        {number(
          'memory_top_k',
          'Memories recalled for a passage',
          [1, 50],
          'At most; often fewer bear on it.',
        )}
      </div>
    </>
  )
}
