import type { Sampling, Telling } from '../../domain/model/model-request.ts'

/** Asks for the count of tokens at the end of a stream. */
export const USAGE = { stream_options: { include_usage: true } }

/** Tells the template of a model that thinks first to leave that out. */
export const NO_THINKING = { chat_template_kwargs: { enable_thinking: false } }

/** The samplers by the names that most servers give them. */
export const ALL_SAMPLERS = {
  top_p: 'top_p',
  min_p: 'min_p',
  repeat_penalty: 'repeat_penalty',
  dry_multiplier: 'dry_multiplier',
  xtc_probability: 'xtc_probability',
}

/** What some samplers need beside them, where a server's own defaults differ. Source: the samplers' authors. */
const COMPANIONS: Partial<Record<keyof Sampling, object>> = {
  dry_multiplier: { dry_base: 1.75, dry_allowed_length: 2 },
  xtc_probability: { xtc_threshold: 0.1 },
}

/** The samplers that the player has set, by the names of a server; what it has no name for is left out. */
export function samplers({ sampling }: Telling, names: Partial<Record<keyof Sampling, string>>): object {
  const set = Object.entries(sampling ?? {}) as [keyof Sampling, number | null][]
  const fields = set.flatMap(([key, value]) => {
    const name = names[key]
    return value === null || name === undefined ? [] : [{ [name]: value, ...COMPANIONS[key] }]
  })
  return Object.assign({}, ...fields)
}

/** The texts before which a reply ends. */
export function stops({ stop = [] }: Telling): object {
  return stop.length === 0 ? {} : { stop }
}

/**
 * What is asked about thinking: `off` for none, the effort that the player has set, and `budget` for its tokens where
 * there is a field. Nothing in a completion, which has no template.
 */
export function thinking(
  { api_mode, reasoning_max_tokens, reasoning_effort }: Telling,
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

/** Binds a reply to a schema in the form that the most servers read: nested, with a name. */
export function nested(schema: object) {
  return { response_format: { type: 'json_schema', json_schema: { name: 'reply', schema } } }
}
