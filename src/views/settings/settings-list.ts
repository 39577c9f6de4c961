import type { Settings } from '../../domain/settings.ts'

interface SettingOptions {
  /** Labels of the values, for a choice. */
  choices?: Record<string, string>
  rows?: number
  isWide?: boolean
  /** Completed from the list that a connection test fills. */
  isModel?: boolean
}

/** Kind and bounds come from `settingsFields()`. */
export interface SettingItem extends SettingOptions {
  name: keyof Settings
  label: string
  hint: string
}

export type SettingGroup = keyof typeof GROUPS

export function settingsIn(group: SettingGroup): SettingItem[] {
  const rows = Object.entries(GROUPS[group]) as [keyof Settings, Row][]
  return rows.map(([name, [label, hint, options]]) => ({ name, label, hint, ...options }))
}

type Row = readonly [label: string, hint: string, options?: SettingOptions]

const GROUPS = {
  server: {
    endpoint_url: [
      'Model server address',
      'On this machine or your own network, e.g. http://127.0.0.1:11434/v1 for Ollama (LM Studio uses port 1234, llama.cpp 9931 or, in older versions, 8080, KoboldCpp 5001). Leave empty to use the practice narrator.',
      { isWide: true },
    ],
    model: [
      'Model',
      'Its name on the server. Test the connection to list what is available.',
      { isWide: true, isModel: true },
    ],
  },
  connection: {
    api_mode: [
      'API mode',
      'Text completion is for base models without a chat template.',
      { choices: { chat: 'Chat (usual)', completion: 'Text completion' } },
    ],
    read_timeout_seconds: [
      'Response timeout',
      'Seconds to wait while the model sends nothing. A large model can take minutes to load.',
    ],
    read_ahead: [
      'Read ahead',
      'While you read, the model server already reads the next prompt, so that the reply begins sooner.',
      { choices: { true: 'Yes', false: 'No' } },
    ],
    num_ctx: [
      'Ollama context (num_ctx)',
      'In tokens. Ollama’s default is small; this asks for more through its native API.',
    ],
  },
  story: {
    max_output_tokens: ['Max response length', 'The longest passage the model may write, in tokens.'],
    context_token_budget: [
      'Context size',
      'How much of the story is sent to the model, in tokens. Stay within the model server’s own limit.',
    ],
    narrator_prompt: [
      'Narrator instructions',
      'Sent at the start of every prompt, before the scenario’s own instructions.',
      { rows: 6, isWide: true },
    ],
    loop_guard: [
      'If the model repeats itself',
      'A passage that begins to repeat itself, or an earlier one, can be ended there. The good part is kept.',
      { choices: { true: 'Stop there', false: 'Allow' }, isWide: true },
    ],
    stop_at_player: [
      'If the AI speaks for you',
      'Some models write your character’s next action themselves. This can end the passage there.',
      { choices: { false: 'Allow', true: 'Stop there' }, isWide: true },
    ],
  },
  sampling: {
    temperature: [
      'Temperature',
      'Higher is more varied, lower more predictable. Around 0.8 suits most models.',
    ],
    min_p: [
      'Min-p',
      'Drops words far less likely than the top one. For stories, try 0.02 to 0.1 with temperature 1.',
    ],
    top_p: ['Top-p', 'Keeps only the most likely words, up to this combined probability.'],
    repeat_penalty: ['Repetition penalty', 'Above 1, words already used become less likely. Try 1.05.'],
    dry_multiplier: ['DRY multiplier', 'Discourages repeating whole phrases. Try 0.8.'],
    xtc_probability: [
      'XTC probability',
      'How often the most likely words are skipped. Try 0.5, but leave empty for stories with stats.',
    ],
  },
  reasoning: {
    reasoning_max_tokens: [
      'Reasoning tokens',
      'Extra tokens for models that reason before they write. 0 leaves it to the server, −1 turns reasoning off.',
    ],
    reasoning_effort: [
      'Reasoning effort',
      'How long a reasoning model thinks.',
      { choices: { '': 'Not sent', low: 'Low', medium: 'Medium', high: 'High' } },
    ],
  },
  stats: {
    second_call: [
      'Record stat changes',
      'In a story with stats, a short request after each passage asks which values it changes. Without it, they change only when you set or record them.',
      { choices: { on: 'After every passage', never: 'Never' }, isWide: true },
    ],
  },
  embeddings: {
    embedding_model: [
      'Embedding model',
      'Finds memories by meaning as well as by words. Leave empty if you have none.',
      { isModel: true },
    ],
    embedding_endpoint_url: [
      'Embedding server address',
      'Leave empty to use the model server above. llama.cpp serves either chat or embeddings: start a second one and enter its address here.',
    ],
  },
  memory: {
    summary_model: [
      'Summary model',
      'Writes memories and summaries instead of the story model. Leave empty if only one model fits in memory.',
      { isModel: true, isWide: true },
    ],
    memory_bank_capacity: [
      'Memory bank size',
      'Memories per story. When it is full, the one unused for longest is dropped.',
    ],
    memory_top_k: ['Memories per prompt', 'The most that are recalled at once. Often fewer are relevant.'],
  },
} satisfies Record<string, Partial<Record<keyof Settings, Row>>>
