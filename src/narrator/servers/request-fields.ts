import type { Message, ModelRequest, Sampling } from '../../domain/model/model-request.ts'
import { forEachSampler } from '../../domain/settings.ts'

const USAGE = { stream_options: { include_usage: true } }

export const TEMPLATE_REASONING_OFF = { chat_template_kwargs: { enable_thinking: false } }

export const ALL_SAMPLERS = forEachSampler((name) => name)

/** Fields of llama.cpp, which several servers copy. Its server refuses -1. */
export const LLAMA_RANGES = { repeat_penalty: 'repeat_last_n', dry_multiplier: 'dry_penalty_last_n' }

/** Companion fields, because the defaults differ between servers. Source: the samplers' authors. */
const COMPANIONS: Partial<Record<keyof Sampling, object>> = {
  dry_multiplier: { dry_base: 1.75, dry_allowed_length: 2 },
  xtc_probability: { xtc_threshold: 0.1 },
}

type SamplerNames = Partial<Record<keyof Sampling, string>>

/** The names that a server has for the optional settings. */
interface FieldNames {
  samplers: SamplerNames
  /** Names for the length of text in which repetition counts: the defaults, about 64 tokens, are less than a reply. */
  ranges?: SamplerNames
  /** Turns reasoning off; without it no field about reasoning is sent. */
  reasoningOff?: object
  reasoningBudget?: (tokens: number) => object
  /** Sent with every request. */
  always?: object
}

/** Request fields of a server that streams and takes stop texts. */
export const requestFields =
  ({ samplers: names, ranges, reasoningOff, reasoningBudget, always }: FieldNames) =>
  (request: ModelRequest): object => ({
    ...USAGE,
    ...always,
    ...(request.stop && request.stop.length > 0 ? { stop: request.stop } : {}),
    ...samplers(request, names, ranges),
    ...(reasoningOff ? reasoning(request, reasoningOff, reasoningBudget) : {}),
  })

/** The player's samplers under a server's names; those without a name are left out. */
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

// Completions have no chat template, and so none of these.
function reasoning(
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

export function namedSchema(schema: object) {
  return { response_format: { type: 'json_schema', json_schema: { name: 'reply', schema } } }
}

export function chatMessages(messages: readonly Message[]): { role: Message['role']; content: string }[] {
  return messages.map(({ role, text }) => ({ role, content: text }))
}

export function completionPrompt(messages: readonly Message[]): string {
  return messages.map(({ text }) => text).join('\n\n')
}
