import type { Cut } from '../../../domain/action.ts'
import type { ModelRequest, Usage } from '../../../domain/model/model-request.ts'
import type { Prompt } from '../../../domain/prompt/prompt.ts'

/** A complete reply of the narrator, with the request that produced it. */
export interface Reply {
  text: string
  /** The text exactly as the model wrote it, with white space and what was removed from it. */
  raw: string
  reasoning: string | null
  cut: Cut | null
  /** Tokens as the server counted them. */
  usage: Usage | null
  /** Milliseconds from the request to the first part of the reply, and to the last. */
  timings: { first: number; total: number }
  prompt: Prompt
  request: ModelRequest
}
