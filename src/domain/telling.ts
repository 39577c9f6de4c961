/** One message of a prompt, in the order in which the model reads them. */
export interface Message {
  role: 'system' | 'user' | 'assistant'
  text: string
}

/** Where stories are sent: the address of an OpenAI-compatible server, and how many seconds it may be silent. */
export interface Endpoint {
  url: string
  read_timeout_seconds: number
}

/** All that one call of the narrator is asked. `model` is sent verbatim. */
export interface Telling {
  model: string
  api_mode: 'chat' | 'completion'
  messages: readonly Message[]
  temperature: number
  max_output_tokens: number
  /** -1 asks for no reasoning, 0 says nothing about it, n allows n tokens more. */
  reasoning_max_tokens: number
}

/** What a wait is spent on, as far as it can be seen from outside. */
export type WaitPhase = 'waiting' | 'loading' | 'reading'

/** Tokens as the server counted them. */
export interface Usage {
  prompt_tokens: number | null
  completion_tokens: number | null
}

/** What comes out of a model while it tells. */
export type Piece =
  | { kind: 'phase'; phase: WaitPhase }
  | { kind: 'thinking'; text: string }
  | { kind: 'text'; text: string }
  /** All text so far was thinking after all: the template had opened the tag inside the prompt. */
  | { kind: 'recast' }
  | { kind: 'end'; cut: 'length' | null; usage: Usage | null }
