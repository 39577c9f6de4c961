import type { ServerKind } from './server-kind.ts'
import type { Settings } from '../settings.ts'

/** One message of a prompt, in the order in which the model reads them. */
export interface Message {
  role: 'system' | 'user' | 'assistant'
  text: string
}

/** Where stories are sent: the address of an OpenAI-compatible server, and how many seconds it may be silent. */
export interface Endpoint {
  url: string
  read_timeout_seconds: number
  /** Which server it was seen to be; left out while nobody has looked. */
  server?: ServerKind
}

/** What shapes the choice of words beyond the temperature. Null is not sent. */
export type Sampling = Pick<
  Settings,
  'top_p' | 'min_p' | 'repeat_penalty' | 'dry_multiplier' | 'xtc_probability'
>

/** All that one call of the narrator is asked. `model` is sent verbatim. */
export interface Telling {
  model: string
  api_mode: 'chat' | 'completion'
  messages: readonly Message[]
  temperature: number
  max_output_tokens: number
  /** -1 asks for no reasoning, 0 says nothing about it, n allows n tokens more. */
  reasoning_max_tokens: number
  // What follows goes only to servers that are known to take it (specification 6.7).
  sampling?: Sampling
  reasoning_effort?: Settings['reasoning_effort']
  /** The window that the server is asked to load the model with. */
  num_ctx?: number | null
  /** Texts before which a reply ends. */
  stop?: readonly string[]
  /** The JSON Schema that a reply must obey. */
  schema?: object
}

/** What a wait is spent on, as far as it can be seen from outside. */
export type WaitPhase = 'waiting' | 'loading' | 'reading'

/** Tokens as the server counted them. */
export interface Usage {
  prompt_tokens: number | null
  /** How many of them it had read before; null when it does not tell. */
  cached_tokens: number | null
  completion_tokens: number | null
}

/** What comes out of a model while it tells. */
export type Piece =
  /** `read` of `total` tokens of the prompt, where the server tells. */
  | { kind: 'phase'; phase: WaitPhase; read?: number; total?: number }
  | { kind: 'thinking'; text: string }
  | { kind: 'text'; text: string }
  /** All text so far was thinking after all: the template had opened the tag inside the prompt. */
  | { kind: 'recast' }
  | { kind: 'end'; cut: 'length' | null; usage: Usage | null }
