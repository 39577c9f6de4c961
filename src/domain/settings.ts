import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Text } from '../lib/text.ts'
import { nullable, oneOf, unbounded } from '../lib/typebox.ts'
import { LIMITS } from './limits.ts'

/** Seconds that the model may stay silent: the default and the limits. */
export const READ_TIMEOUT = { default: 300, min: 10, max: 3600 }

export const SAMPLERS = ['top_p', 'min_p', 'repeat_penalty', 'dry_multiplier', 'xtc_probability'] as const

export const forEachSampler = <T>(make: (name: (typeof SAMPLERS)[number]) => T) =>
  Object.fromEntries(SAMPLERS.map((name) => [name, make(name)])) as Record<(typeof SAMPLERS)[number], T>

/** Defaults for the optional fields: send nothing beyond what every server accepts. */
export const OPTIONAL_DEFAULTS = {
  ...forEachSampler(() => null),
  reasoning_effort: null,
  num_ctx: null,
  stop_at_player: false,
  second_call: 'on',
  read_ahead: true,
  loop_guard: true,
} as const

export const NARRATOR_PROMPT = `You are the narrator of an interactive story, and the player is its hero. Write in the second person, in vivid and concrete prose, and stay true to everything that has been told. Let the world and its people act on their own wishes. Never speak, decide or act for the player, and never end the story: leave each passage at a moment where the player can do something.`

/** Values of `second_call` of older versions, whose prompts asked for state blocks. They mean `on`. */
export const OLDER_SECOND_CALLS = ['off', 'needed', 'always'] as const

export function currentSecondCall<T extends string>(
  value: T,
): Exclude<T, (typeof OLDER_SECOND_CALLS)[number]> | 'on' {
  return OLDER_SECOND_CALLS.some((older) => older === value) ? 'on' : (value as never)
}

/** The fields of the settings with their limits. Sampling values that are null are not sent: the server's default applies. */
export const settingsFields = () =>
  Type.Object({
    endpoint_url: Text(LIMITS.address, { examples: ['http://127.0.0.1:11434/v1'] }),
    model: Text(LIMITS.name),
    model_file: Text(LIMITS.path, {
      description: 'A model file on this machine, run by the engine in place of endpoint_url; empty for none',
      examples: [''],
    }),
    api_mode: oneOf(['chat', 'completion']),
    temperature: Type.Number({ minimum: 0, maximum: 5 }),
    max_output_tokens: Type.Integer({ minimum: 1, maximum: 100_000 }),
    reasoning_max_tokens: Type.Integer({ minimum: -1, maximum: 100_000 }),
    context_token_budget: Type.Integer({ minimum: 256, maximum: 200_000 }),
    read_timeout_seconds: Type.Integer({ minimum: READ_TIMEOUT.min, maximum: READ_TIMEOUT.max }),
    narrator_prompt: Text(LIMITS.prose),
    summary_model: Text(LIMITS.name),
    embedding_model: Text(LIMITS.name),
    embedding_endpoint_url: Text(LIMITS.address, {
      description: 'The server of the embedding model; empty for the same as endpoint_url',
      examples: [''],
    }),
    memory_bank_capacity: Type.Integer({ minimum: 1, maximum: 1000 }),
    memory_top_k: Type.Integer({ minimum: 1, maximum: 50 }),
    top_p: nullable(Type.Number({ minimum: 0, maximum: 1 })),
    min_p: nullable(Type.Number({ minimum: 0, maximum: 1 })),
    repeat_penalty: nullable(Type.Number({ minimum: 0.1, maximum: 3 })),
    dry_multiplier: nullable(Type.Number({ minimum: 0, maximum: 5 })),
    xtc_probability: nullable(Type.Number({ minimum: 0, maximum: 1 })),
    // For models that reason before they reply, on servers that accept it.
    reasoning_effort: nullable(oneOf(['low', 'medium', 'high'])),
    num_ctx: nullable(Type.Integer({ minimum: 512, maximum: 1_000_000 })),
    stop_at_player: Type.Boolean(),
    // Whether the recorder asks for the stat changes of each passage.
    second_call: oneOf(['on', 'never']),
    // Whether the server reads the next prompt while the player reads.
    read_ahead: Type.Boolean(),
    // Whether a reply that begins to repeat itself is stopped.
    loop_guard: Type.Boolean(),
  })

/** Each is checked against the policy before it is saved. */
export const ADDRESSES = ['endpoint_url', 'embedding_endpoint_url'] as const

/** Never includes an API key. */
export type Settings = Static<ReturnType<typeof settingsFields>>

export const SettingsView = Type.Composite([
  unbounded(settingsFields()),
  Type.Object({ practice: Type.Boolean() }),
])

export type SettingsView = Static<typeof SettingsView>

export function settingsView(settings: Settings): SettingsView {
  return { ...settings, practice: isPractice(settings) }
}

/** The settings with numbers that are too small raised to the minimum, and unknown choices replaced by the default. */
export function usableSettings(settings: Settings): Settings {
  const wrong = (Object.keys(FIELDS) as (keyof Settings)[])
    .filter((name) => !Value.Check(FIELDS[name], settings[name]))
    .map((name) => [name, usable(name, settings[name])])
  return { ...settings, ...Object.fromEntries(wrong) }
}

const FIELDS = settingsFields().properties

/** Older versions allowed a shorter timeout; the player may have chosen it on purpose. */
const SHORTEST: Partial<Record<keyof Settings, { minimum: number }>> = {
  read_timeout_seconds: { minimum: 1 },
}

function usable(name: keyof Settings, value: unknown): unknown {
  const field: TSchema = FIELDS[name]
  const { minimum } = SHORTEST[name] ?? field.anyOf?.[0] ?? field
  if (typeof value === 'number' && minimum !== undefined) return Math.max(value, minimum)
  // Texts that are too long stay as they are.
  return name in OPTIONAL_DEFAULTS ? OPTIONAL_DEFAULTS[name as keyof typeof OPTIONAL_DEFAULTS] : value
}

/** True if neither a server nor a model file is set. */
export function isPractice(settings: Pick<Settings, 'endpoint_url' | 'model_file'>): boolean {
  return settings.endpoint_url === '' && settings.model_file === ''
}

/** True if a server is set, but none of its models is chosen. */
export function isModelMissing(settings: Pick<Settings, 'endpoint_url' | 'model' | 'model_file'>): boolean {
  return !isPractice(settings) && settings.model_file === '' && settings.model === ''
}

/** The engine's host name here: it is on our own server, whose address differs from start to start. */
export const ENGINE_HOST = 'inglenook-engine'
const ENGINE_URL = `http://${ENGINE_HOST}/api/engine/v1`

/** The settings that apply: with a model file, the engine is the model server, and it has that one model. */
export function withEngine(settings: Settings): Settings {
  const { model_file, embedding_endpoint_url, endpoint_url } = settings
  if (model_file === '') return settings
  const embeddings = embedding_endpoint_url || endpoint_url
  return {
    ...settings,
    endpoint_url: ENGINE_URL,
    model: model_file.split(/[\\/]/).at(-1) ?? '',
    summary_model: '',
    num_ctx: null,
    embedding_endpoint_url: embeddings,
    embedding_model: embeddings === '' ? '' : settings.embedding_model,
  }
}
