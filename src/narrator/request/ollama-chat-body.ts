import type { ModelRequest } from '../../domain/model/model-request.ts'
import { chatMessages } from '../servers/shared/message-format.ts'

/**
 * The body of a request to Ollama's native API, the only one that can set the context window of the loaded model.
 * Source: https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export function ollamaChatBody(request: ModelRequest, stream: boolean, maxTokens: number) {
  const { model, messages, temperature, num_ctx, stop = [], sampling } = request
  const { top_p, min_p, repeat_penalty } = sampling ?? {}
  return {
    model,
    messages: chatMessages(messages),
    stream,
    // Ollama reloads the model when any of these changes.
    options: withoutEmpty({
      num_ctx,
      num_predict: maxTokens,
      temperature,
      top_p,
      min_p,
      repeat_penalty,
      repeat_last_n: repeat_penalty == null ? null : num_ctx,
      stop: stop.length > 0 ? stop : null,
    }),
    // Longer than a player takes to write a turn.
    keep_alive: '60m',
    ...withoutEmpty({ think: thinkOf(request), format: request.schema }),
  }
}

function thinkOf({ reasoning_max_tokens, reasoning_effort }: ModelRequest): false | string | null {
  return reasoning_max_tokens === -1 ? false : (reasoning_effort ?? null)
}

function withoutEmpty(fields: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  )
}
