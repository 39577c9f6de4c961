import type { Telling } from '../domain/model/model-request.ts'
import { ollamaChat } from './ollama-chat.ts'
import { asChat, asText } from './servers/prompts.ts'
import type { Server } from './servers/server.ts'
import type { Ask } from './transport.ts'

/** A request for a telling, and the names of its fields that not every server takes. */
export interface Asking extends Ask {
  atRoot: boolean
  beyond: readonly string[]
}

/** What is always sent: the fields that every server takes (specification 6.7), and the one in which Ollama takes two of them. */
const COMMON = new Set(['model', 'messages', 'prompt', 'temperature', 'max_tokens', 'stream', 'options'])

/**
 * The request for a telling: the five fields that every server takes, and what `server` is known to take besides, but
 * for the fields that are in `unknown`.
 */
export function askFor(
  telling: Telling,
  stream: boolean,
  server: Server,
  unknown: ReadonlySet<string> = new Set(),
): Asking {
  const { model, temperature, messages } = telling
  const bound = telling.schema && server.bound ? server.bound(telling.schema) : {}
  const more = without(stream ? [] : OF_STREAMS, { ...server.fields(telling), ...bound })
  if (telling.api_mode === 'completion') {
    const prompt = asText(messages)
    const max_tokens = telling.max_output_tokens
    return post('/completions', { model, prompt, temperature, max_tokens, stream, ...more }, unknown)
  }
  // Thinking is counted as output, and must not eat the story's own tokens.
  const max_tokens = telling.max_output_tokens + Math.max(0, telling.reasoning_max_tokens)
  if (server.dialect === 'ollama' && telling.num_ctx)
    return { ...post('/api/chat', ollamaChat(telling, stream, max_tokens), unknown), atRoot: true }
  const common = { model, messages: asChat(messages), temperature, max_tokens, stream }
  return post('/chat/completions', { ...common, ...more }, unknown)
}

/** What only a streamed reply has. */
const OF_STREAMS = ['stream_options', 'return_progress']

function without(names: readonly string[], fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}

function post(path: string, fields: object, unknown: ReadonlySet<string>): Asking {
  const sent = Object.entries(fields).filter(([name]) => !unknown.has(name))
  const beyond = sent.map(([name]) => name).filter((name) => !COMMON.has(name))
  return { method: 'POST', path, atRoot: false, beyond, body: JSON.stringify(Object.fromEntries(sent)) }
}
