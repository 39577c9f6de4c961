export interface EngineMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface EngineRequest {
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
  schema?: object
  template?: Record<string, unknown>
}

/** Command to load a model; `threads` 0 lets the engine choose. */
export interface EngineLoad {
  path: string
  window: number
  threads: number
}

export interface LoadedModel {
  window: number
  threads: number
  /** Kind of graphics processor, such as "vulkan"; '' for none. */
  gpu: string
  gpu_layers: number
  layers: number
}

export interface EngineUsage {
  /** Tokens of the prompt, cached tokens among them, and written tokens. */
  prompt: number
  cached: number
  written: number
  /** Milliseconds. */
  reading: number
  writing: number
}

export type EngineCommand = { id: number } & (
  | { do: 'check' }
  | ({ do: 'load' } & EngineLoad)
  | { do: 'count'; prompt: EngineRequest['prompt']; template: Record<string, unknown> }
  | { do: 'generate'; request: EngineRequest }
  | { do: 'abort' }
)

/** Answer to the command with the same id. `end`, `error`, `loaded`, `checked` and `counted` are final. */
export type EngineAnswer = { id: number } & (
  | { kind: 'loading'; progress: number }
  | { kind: 'loaded'; model: LoadedModel }
  | { kind: 'checked' }
  | { kind: 'counted'; tokens: number }
  | { kind: 'reading'; read: number; cached: number; total: number }
  | { kind: 'text'; text: string }
  | { kind: 'end'; cut: boolean; usage: EngineUsage }
  /** `isRequest` means that the request was wrong, not the engine. */
  | { kind: 'error'; message: string; isRequest: boolean }
)
