import { type Static, Type } from '@sinclair/typebox'
import { LIMITS } from './limits.ts'
import { Text } from './text.ts'

/** Seconds that the model may be silent when nothing else is set, and at most (specification 8). */
export const READ_TIMEOUT = { default: 300, min: 10, max: 3600 }

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
  })

/** How and where stories are told (specification 2, "Settings"). There is no key among them. */
export type Settings = Static<ReturnType<typeof settingsFields>>

/** Settings as they are shown: an empty address means the practice narrator. */
export type SettingsView = Settings & { practice: boolean }

export function settingsView(settings: Settings): SettingsView {
  return { ...settings, practice: isPractice(settings) }
}

/** Whether the practice narrator tells: nobody has named an endpoint yet. */
export function isPractice(settings: Pick<Settings, 'endpoint_url'>): boolean {
  return settings.endpoint_url === ''
}
