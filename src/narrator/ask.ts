import type { Telling } from '../domain/telling.ts'
import type { Ask } from './transport.ts'

/** The request for a telling. Only the five fields that every server takes are sent (specification 6.7). */
export function askFor(telling: Telling, stream: boolean): Ask {
  const { model, temperature, messages } = telling
  if (telling.api_mode === 'completion') {
    const prompt = messages.map(({ text }) => text).join('\n\n')
    return post('/completions', { model, prompt, temperature, max_tokens: telling.max_output_tokens, stream })
  }
  // Thinking is counted as output, and must not eat the story's own tokens.
  const max_tokens = telling.max_output_tokens + Math.max(0, telling.reasoning_max_tokens)
  const said = messages.map(({ role, text }) => ({ role, content: text }))
  return post('/chat/completions', { model, messages: said, temperature, max_tokens, stream })
}

function post(path: string, body: object): Ask {
  return { method: 'POST', path, body: JSON.stringify(body) }
}
