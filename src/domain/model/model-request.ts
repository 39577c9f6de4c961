import { type Static, Type } from '@sinclair/typebox'
import { nullable, oneOf } from '../../lib/typebox.ts'
import type { FilteredPart } from '../reply/mark-filter.ts'
import type { SAMPLERS, Settings } from '../settings.ts'
import type { ServerKind } from './model-server.ts'

export const Message = Type.Object({ role: oneOf(['system', 'user', 'assistant']), text: Type.String() })
export type Message = Static<typeof Message>

/** An OpenAI-compatible server, and how many seconds it may be silent. */
export interface Endpoint {
  url: string
  read_timeout_seconds: number
  /** Absent before detection. */
  server?: ServerKind
}

/** Null is not sent. */
export type Sampling = Pick<Settings, (typeof SAMPLERS)[number]>

/** `model` is sent verbatim. */
export interface ModelRequest {
  model: string
  api_mode: 'chat' | 'completion'
  messages: readonly Message[]
  temperature: number
  max_output_tokens: number
  /** -1 requests no reasoning, 0 leaves it to the server, n allows n extra tokens. */
  reasoning_max_tokens: number
  // The rest is sent only to servers that are known to accept it.
  sampling?: Sampling
  reasoning_effort?: Settings['reasoning_effort']
  /** The context size in tokens: how far back repetition counts. */
  window?: number
  /** The context window that the server should load the model with. */
  num_ctx?: number | null
  stop?: readonly string[]
  schema?: object
  begun?: string
}

/** Activity of the model server during a wait, as far as that is visible from outside. */
export type WaitPhase = 'waiting' | 'loading' | 'gone' | 'reading'

export const Usage = Type.Object({
  prompt_tokens: nullable(Type.Integer()),
  cached_tokens: nullable(
    Type.Integer({ description: 'How many of them were cached; null if the server does not say' }),
  ),
  completion_tokens: nullable(Type.Integer()),
})
export type Usage = Static<typeof Usage>

export type ReplyPart =
  /** `read` of `total` prompt tokens, `cached` of them from before, if the server says. */
  | { kind: 'phase'; phase: WaitPhase; read?: number; total?: number; cached?: number }
  /** Text of the model with every mark; its thoughts and text follow as parts of their own. */
  | { kind: 'raw'; text: string }
  | FilteredPart
  | { kind: 'end'; cut: 'length' | null; usage: Usage | null }
