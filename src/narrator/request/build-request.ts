import type { Message, ModelRequest } from '../../domain/model/model-request.ts'
import type { EndpointRequest } from '../connect/endpoint-connection.ts'
import { chatMessages, completionPrompt } from '../servers/request-fields.ts'
import type { Server } from '../servers/server.ts'

export interface ReplyRequest extends EndpointRequest {
  optionalFields: readonly string[]
}

/** Fields that every server takes, and Ollama's `options`, which contains two of them. */
const REQUIRED = new Set(['model', 'messages', 'prompt', 'temperature', 'max_tokens', 'stream', 'options'])

export function buildRequest(
  request: ModelRequest,
  stream: boolean,
  server: Server,
  unknown: ReadonlySet<string> = new Set(),
): ReplyRequest {
  const { model, temperature, max_output_tokens } = request
  const messages = withBeginning(request)
  const extra = extraFields(request, stream, server)
  if (request.api_mode === 'completion') {
    const prompt = completionPrompt(messages)
    return post(
      '/completions',
      { model, prompt, temperature, max_tokens: max_output_tokens, stream, ...extra },
      unknown,
    )
  }
  // Reasoning counts as output and must not reduce the length of the story text.
  const max_tokens = max_output_tokens + Math.max(0, request.reasoning_max_tokens)
  if (server.nativeApi === 'ollama' && request.num_ctx)
    return { ...post('/api/chat', ollamaChatBody(request, stream, max_tokens), unknown), atRoot: true }
  const common = { model, messages: chatMessages(messages), temperature, max_tokens, stream }
  return post('/chat/completions', { ...common, ...extra }, unknown)
}

function withBeginning({ messages, begun = '' }: ModelRequest): readonly Message[] {
  return begun === '' ? messages : [...messages, { role: 'assistant', text: begun }]
}

const STREAM_ONLY = ['stream_options', 'return_progress']

function extraFields(request: ModelRequest, stream: boolean, server: Server): object {
  const schema = request.schema && server.schemaFields ? server.schemaFields(request.schema) : {}
  const beginning = request.begun ? server.continueFields : {}
  const fields = { ...server.fields(request), ...schema, ...beginning }
  return stream
    ? fields
    : Object.fromEntries(Object.entries(fields).filter(([name]) => !STREAM_ONLY.includes(name)))
}

function post(path: string, fields: object, unknown: ReadonlySet<string>): ReplyRequest {
  const known = Object.entries(fields).filter(([name]) => !unknown.has(name))
  const optionalFields = known.map(([name]) => name).filter((name) => !REQUIRED.has(name))
  return {
    method: 'POST',
    path,
    optionalFields,
    body: JSON.stringify(Object.fromEntries(known)),
  }
}

/**
 * Request of Ollama's native API, the only one that can set the context window. Source:
 * https://github.com/ollama/ollama/blob/main/docs/api.md
 */
function ollamaChatBody(request: ModelRequest, stream: boolean, maxTokens: number) {
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
    // Longer than a player needs for a turn.
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
