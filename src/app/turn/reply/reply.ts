import type { Cut } from '../../../domain/action.ts'
import type { ModelRequest, Usage } from '../../../domain/model/model-request.ts'
import type { Prompt } from '../../../domain/prompt/prompt.ts'
import type { PromptReading } from '../../../domain/prompt/prompt-reading.ts'
import type { StateBlock } from '../../../domain/world/block/delta.ts'
import type { Proposal } from '../../../domain/world/delta-report.ts'

/** A complete reply of the narrator, with the request that produced it. */
export interface Reply {
  text: string
  /** The text exactly as the model wrote it, with state blocks and white space. */
  raw: string
  /** Whether more than state blocks was removed from it: later prompts hold the text instead. */
  cleaned: boolean
  reasoning: string | null
  cut: Cut | null
  /** The state blocks in the reply; none in a story without stats. */
  blocks: StateBlock[]
  /** The answer to the second call; null when none was made. */
  second: Proposal['second']
  /** Tokens as the server counted them. */
  usage: Usage | null
  /** Milliseconds from the request to the first part of the reply, and to the last. */
  timings: { first: number; total: number }
  /** How much of the prompt the server processed. */
  reading: PromptReading
  prompt: Prompt
  request: ModelRequest
}
