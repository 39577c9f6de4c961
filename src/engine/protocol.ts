/** A message of a prompt, as in the OpenAI protocol. */
export interface EngineMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** What a reply is made from: the fields of an OpenAI-compatible request that the engine understands. */
export interface EngineRequest {
  /** A conversation, or the text that a completion goes on from. */
  prompt: readonly EngineMessage[] | string
  max_tokens: number
  temperature: number
  stop: readonly string[]
  top_p?: number
  min_p?: number
  repeat_penalty?: number
  repeat_last_n?: number
  dry_multiplier?: number
  dry_base?: number
  dry_allowed_length?: number
  dry_penalty_last_n?: number
  xtc_probability?: number
  xtc_threshold?: number
  /** A JSON Schema that the reply has to match. */
  schema?: object
  /** Values for the model's chat template. */
  template?: Record<string, unknown>
}

/** What the process is to load. `threads` 0 leaves their number to the engine. */
export interface EngineLoad {
  path: string
  window: number
  threads: number
}

/** How a model was loaded. */
export interface LoadedModel {
  /** Tokens of context. */
  window: number
  threads: number
  /** The kind of graphics processor in use, such as "vulkan"; '' for none. */
  gpu: string
  /** The layers on it, of all. */
  gpu_layers: number
  layers: number
}

/** What a reply cost. */
export interface EngineUsage {
  /** Tokens of the prompt, those of them that were kept from before, and tokens that were written. */
  prompt: number
  cached: number
  written: number
  /** Milliseconds for reading and for writing. */
  reading: number
  writing: number
}

/** From the service to the engine's process. */
export type EngineCommand = { id: number } & (
  | { do: 'check' }
  | ({ do: 'load' } & EngineLoad)
  | { do: 'count'; prompt: EngineRequest['prompt']; template: Record<string, unknown> }
  | { do: 'generate'; request: EngineRequest }
  | { do: 'abort' }
)

/** From the engine's process, each about the command with its id. `end`, `error`, `loaded` and `counted` are the last. */
export type EngineAnswer = { id: number } & (
  | { kind: 'loading'; progress: number }
  | { kind: 'loaded'; model: LoadedModel }
  | { kind: 'checked' }
  | { kind: 'counted'; tokens: number }
  | { kind: 'reading'; read: number; cached: number; total: number }
  | { kind: 'text'; text: string }
  | { kind: 'end'; cut: boolean; usage: EngineUsage }
  /** `isRequest` is whether the request was wrong, and not the engine. */
  | { kind: 'error'; message: string; isRequest: boolean }
)
