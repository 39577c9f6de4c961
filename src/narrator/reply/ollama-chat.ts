import type { Usage } from '../../domain/model/model-request.ts'
import { field, wholeNumber } from '../json-fields.ts'

/** Whether a JSON value is a line of the stream of Ollama's native API. */
export function isOllamaLine(json: unknown): boolean {
  return typeof field(json, 'done') === 'boolean'
}

/** The token counts on the last line of that stream, or null. */
export function ollamaUsage(json: unknown): Usage | null {
  const prompt_tokens = wholeNumber(field(json, 'prompt_eval_count'))
  const completion_tokens = wholeNumber(field(json, 'eval_count'))
  if (prompt_tokens === null && completion_tokens === null) return null
  return { prompt_tokens, cached_tokens: null, completion_tokens }
}
