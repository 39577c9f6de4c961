import type { Message, ModelRequest, Sampling } from '../../../domain/model/model-request.ts'
import { forEachSampler } from '../../../domain/settings.ts'

/** Requests token counts at the end of a stream. */
export const USAGE = { stream_options: { include_usage: true } }

/** Turns reasoning off in the chat template. */
export const THINKING_OFF = { chat_template_kwargs: { enable_thinking: false } }

/** The field names that most servers use. */
export const ALL_SAMPLERS = forEachSampler((name) => name)

/** The fields of llama.cpp, which several others copy. A value of -1 is refused by its server. */
export const LLAMA_RANGES = { repeat_penalty: 'repeat_last_n', dry_multiplier: 'dry_penalty_last_n' }

/** Companion fields, because the defaults differ between servers. Source: the samplers' authors. */
const COMPANIONS: Partial<Record<keyof Sampling, object>> = {
  dry_multiplier: { dry_base: 1.75, dry_allowed_length: 2 },
  xtc_probability: { xtc_threshold: 0.1 },
}

/** A server's field names for some samplers. */
type SamplerNames = Partial<Record<keyof Sampling, string>>

/**
 * The samplers that the player has set, with a server's field names; samplers without a name are left out. `ranges` names
 * the fields for how many tokens back repetition counts: servers start with 64 or so, less than one reply.
 */
export function samplers(
  { sampling, window }: ModelRequest,
  names: SamplerNames,
  ranges: SamplerNames = {},
): object {
  const values = Object.entries(sampling ?? {}) as [keyof Sampling, number | null][]
  const fields = values.flatMap(([key, value]) => {
    const name = names[key]
    const range = ranges[key]
    return value === null || name === undefined
      ? []
      : [{ [name]: value, ...COMPANIONS[key], ...(range && window ? { [range]: window } : {}) }]
  })
  return Object.assign({}, ...fields)
}

export function stops({ stop = [] }: ModelRequest): object {
  return stop.length === 0 ? {} : { stop }
}

/**
 * The fields for reasoning: `off` turns it off, `budget` limits its tokens where the server has a field for that. None
 * for a completion, which has no chat template.
 */
export function thinking(
  { api_mode, reasoning_max_tokens, reasoning_effort }: ModelRequest,
  off: object,
  budget: (tokens: number) => object = () => ({}),
): object {
  if (api_mode === 'completion') return {}
  if (reasoning_max_tokens < 0) return off
  return {
    ...(reasoning_effort ? { reasoning_effort } : {}),
    ...(reasoning_max_tokens > 0 ? budget(reasoning_max_tokens) : {}),
  }
}

/** The most common form of a response schema. */
export function namedSchema(schema: object) {
  return { response_format: { type: 'json_schema', json_schema: { name: 'reply', schema } } }
}

export function chatMessages(messages: readonly Message[]): { role: Message['role']; content: string }[] {
  return messages.map(({ role, text }) => ({ role, content: text }))
}

/** Messages as one text, for the completion API and for counting. */
export function completionPrompt(messages: readonly Message[]): string {
  return messages.map(({ text }) => text).join('\n\n')
}
