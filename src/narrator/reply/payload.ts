import type { Usage } from '../../domain/model/model-request.ts'
import { countOf, field, listOf, textOf } from '../json.ts'
import { isOllamaLine, ollamaUsage } from '../ollama-chat.ts'

/** What one JSON value of a reply says, in whichever of the shapes that servers use. */
export interface Payload {
  /** The server's own message when it reports an error in place of a reply. */
  error: string | null
  thinking: string
  text: string
  cut: 'length' | null
  usage: Usage | null
  /** Whether the server says that nothing more comes. */
  ended: boolean
  /** How many tokens of the prompt are read, where the server tells. */
  progress: { read: number; total: number } | null
}

/** Reads a chunk of a chat or a completion, streamed or whole. A shape that nobody knows says nothing. */
export function readPayload(json: unknown): Payload {
  const choice = field(field(json, 'choices'), 0) ?? json
  const spoken = [field(choice, 'delta'), field(choice, 'message')]
  const content = [
    ...spoken.map((part) => field(part, 'content')),
    field(choice, 'text'),
    field(choice, 'content'),
  ]
  const reason = textOf(field(choice, 'finish_reason')) ?? textOf(field(json, 'done_reason'))
  return {
    error: errorIn(json) ?? errorIn(choice),
    thinking: firstOf([...spoken, choice].map(reasoningIn)) || firstOf(content.map(thinkingIn)),
    text: firstOf(content.map(proseIn)),
    cut: reason === 'length' ? 'length' : null,
    usage: usageOf(json),
    ended: reason !== null,
    progress: progressIn(field(json, 'prompt_progress')),
  }
}

/** Whether a value is a piece of a reply or an error, so that it can stand outside of an event. */
export function isPayload(json: unknown): boolean {
  return Array.isArray(field(json, 'choices')) || isOllamaLine(json) || errorIn(json) !== null
}

/** The message of an error in any of the shapes that servers use, or null when there is none. */
export function errorIn(json: unknown): string | null {
  const error = field(json, 'error')
  if (error || field(json, 'object') === 'error')
    return messageIn(error) ?? messageIn(json) ?? 'an error without a message'
  return Array.isArray(field(json, 'choices')) ? null : messageIn(field(json, 'detail'))
}

// Only what is meant as a message is read: the rest of an error often repeats the request, and with it the story.
function messageIn(value: unknown): string | null {
  if (Array.isArray(value)) return value.map(messageIn).filter(Boolean).join('; ') || null
  return textOf(value) ?? textOf(field(value, 'message')) ?? textOf(field(value, 'msg')) ?? nestedIn(value)
}

function nestedIn(value: unknown): string | null {
  const inner = field(value, 'error') ?? field(value, 'detail')
  return inner === undefined ? null : messageIn(inner)
}

// Servers that fill two of these fill them with the same words.
function reasoningIn(value: unknown): string {
  return firstOf(
    ['reasoning_content', 'reasoning', 'thinking'].map((name) => textOf(field(value, name)) ?? ''),
  )
}

function proseIn(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => textOf(part) ?? (isThought(part) ? '' : (textOf(field(part, 'text')) ?? '')))
    .join('')
}

function thinkingIn(content: unknown): string {
  return listOf(content)
    .filter(isThought)
    .map(
      (part) => reasoningIn(part) || proseIn(field(part, 'thinking')) || (textOf(field(part, 'text')) ?? ''),
    )
    .join('')
}

function isThought(part: unknown): boolean {
  const type = field(part, 'type')
  return type === 'thinking' || type === 'reasoning'
}

// llama.cpp counts what it had read before among what it has read.
function progressIn(progress: unknown): Payload['progress'] {
  const [read, total] = [countOf(field(progress, 'processed')), countOf(field(progress, 'total'))]
  return read === null || total === null || read > total ? null : { read, total }
}

function usageOf(json: unknown): Usage | null {
  const told = usageIn(field(json, 'usage')) ?? ollamaUsage(json)
  const timed = timingsIn(field(json, 'timings'))
  return told && timed
    ? { ...told, cached_tokens: told.cached_tokens ?? timed.cached_tokens }
    : (told ?? timed)
}

function usageIn(usage: unknown): Usage | null {
  if (typeof usage !== 'object' || usage === null) return null
  return {
    prompt_tokens: countOf(field(usage, 'prompt_tokens')),
    cached_tokens: countOf(field(field(usage, 'prompt_tokens_details'), 'cached_tokens')),
    completion_tokens: countOf(field(usage, 'completion_tokens')),
  }
}

// llama.cpp tells its timings with the last chunk, usage asked for or not: what it read anew, and what it had read before.
function timingsIn(timings: unknown): Usage | null {
  const read = countOf(field(timings, 'prompt_n'))
  if (read === null) return null
  const cached = countOf(field(timings, 'cache_n'))
  return {
    prompt_tokens: read + (cached ?? 0),
    cached_tokens: cached,
    completion_tokens: countOf(field(timings, 'predicted_n')),
  }
}

function firstOf(texts: readonly string[]): string {
  return texts.find((text) => text !== '') ?? ''
}
