import type { Telling, Usage } from '../domain/model/model-request.ts'
import { countOf, field } from './json.ts'
import { asChat } from './servers/prompts.ts'

/**
 * The body of a request in Ollama's own words: only there it can be told how large a window to load a model with.
 * Source: https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export function ollamaChat(telling: Telling, stream: boolean, output: number) {
  const { model, messages, temperature, num_ctx, stop = [], sampling } = telling
  const { top_p, min_p, repeat_penalty } = sampling ?? {}
  return {
    model,
    messages: asChat(messages),
    stream,
    // Ollama loads a model anew whenever these differ from the last time.
    options: given({
      num_ctx,
      num_predict: output,
      temperature,
      top_p,
      min_p,
      repeat_penalty,
      stop: stop.length > 0 ? stop : null,
    }),
    // Longer than a player takes to write a line.
    keep_alive: '60m',
    ...given({ think: thinkOf(telling), format: telling.schema }),
  }
}

function thinkOf({ reasoning_max_tokens, reasoning_effort }: Telling): false | string | null {
  return reasoning_max_tokens === -1 ? false : (reasoning_effort ?? null)
}

function given(fields: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  )
}

/** Whether a JSON value is a line of Ollama's own stream. */
export function isOllamaLine(json: unknown): boolean {
  return typeof field(json, 'done') === 'boolean'
}

/** What the last line of Ollama's own stream counts, or null. */
export function ollamaUsage(json: unknown): Usage | null {
  const prompt_tokens = countOf(field(json, 'prompt_eval_count'))
  const completion_tokens = countOf(field(json, 'eval_count'))
  if (prompt_tokens === null && completion_tokens === null) return null
  return { prompt_tokens, cached_tokens: null, completion_tokens }
}
