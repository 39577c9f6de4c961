import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { LIMITS } from './limits.ts'
import { Text } from '../lib/text.ts'

/** Seconds that the model may be silent when nothing else is set, and at most (specification 8). */
export const READ_TIMEOUT = { default: 300, min: 10, max: 3600 }

/** What the player has set to be sent nowhere: the common fields alone. */
export const NOTHING_MORE = {
  top_p: null,
  min_p: null,
  repeat_penalty: null,
  dry_multiplier: null,
  xtc_probability: null,
  reasoning_effort: null,
  num_ctx: null,
  stop_at_player: false,
  second_call: 'needed',
} as const

/** What the narrator is told before all else, until the player writes another. */
export const NARRATOR_PROMPT = `You are the narrator of an interactive story, and the player is its hero. Write in the second person, in vivid and concrete prose, and stay true to everything that has been told. Let the world and its people act on their own wishes. Never speak, decide or act for the player, and never end the story: leave each passage at a moment where the player can do something.`

/** The fields of the settings with their bounds, for what is sent. */
export const settingsFields = () =>
  Type.Object({
    endpoint_url: Text(LIMITS.address, { examples: ['http://127.0.0.1:11434/v1'] }),
    model: Text(LIMITS.name),
    api_mode: Type.Union([Type.Literal('chat'), Type.Literal('completion')]),
    temperature: Type.Number({ minimum: 0, maximum: 5 }),
    max_output_tokens: Type.Integer({ minimum: 1, maximum: 100_000 }),
    reasoning_max_tokens: Type.Integer({ minimum: -1, maximum: 100_000 }),
    context_token_budget: Type.Integer({ minimum: 256, maximum: 200_000 }),
    read_timeout_seconds: Type.Integer({ minimum: READ_TIMEOUT.min, maximum: READ_TIMEOUT.max }),
    narrator_prompt: Text(LIMITS.prose),
    summary_model: Text(LIMITS.name),
    embedding_model: Text(LIMITS.name),
    memory_bank_capacity: Type.Integer({ minimum: 1, maximum: 1000 }),
    memory_top_k: Type.Integer({ minimum: 1, maximum: 50 }),
    top_p: orNull(Type.Number({ minimum: 0, maximum: 1 })),
    min_p: orNull(Type.Number({ minimum: 0, maximum: 1 })),
    repeat_penalty: orNull(Type.Number({ minimum: 0.1, maximum: 3 })),
    dry_multiplier: orNull(Type.Number({ minimum: 0, maximum: 5 })),
    xtc_probability: orNull(Type.Number({ minimum: 0, maximum: 1 })),
    // How hard a model that thinks first may think, where its server can be told.
    reasoning_effort: orNull(Type.Union([Type.Literal('low'), Type.Literal('medium'), Type.Literal('high')])),
    num_ctx: orNull(Type.Integer({ minimum: 512, maximum: 1_000_000 })),
    stop_at_player: Type.Boolean(),
    // When the changes of a turn are asked for by themselves, under a JSON Schema.
    second_call: Type.Union([Type.Literal('off'), Type.Literal('needed'), Type.Literal('always')]),
  })

/** Null is not sent: the server's own value holds. */
const orNull = <T extends TSchema>(shape: T) => Type.Union([shape, Type.Null()])

/** How and where stories are told (specification 2, "Settings"). There is no key among them. */
export type Settings = Static<ReturnType<typeof settingsFields>>

/** Settings as they are shown: an empty address means the practice narrator. */
export type SettingsView = Settings & { practice: boolean }

export function settingsView(settings: Settings): SettingsView {
  return { ...settings, practice: isPractice(settings) }
}

/** The fields that could not be saved as they are. */
export function outOfBounds(settings: Settings): (keyof Settings)[] {
  const fields = settingsFields().properties
  const names = Object.keys(fields) as (keyof Settings)[]
  return names.filter((name) => !Value.Check(fields[name], settings[name]))
}

/** Whether the practice narrator tells: nobody has named an endpoint yet. */
export function isPractice(settings: Pick<Settings, 'endpoint_url'>): boolean {
  return settings.endpoint_url === ''
}
