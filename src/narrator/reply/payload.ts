import type { Usage } from '../../domain/model/model-request.ts'
import { withoutControls } from '../../lib/text.ts'
import { field, listOrEmpty, nonEmptyText, wholeNumber } from '../json-fields.ts'

interface Payload {
  error: string | null
  thinking: string
  text: string
  cut: 'length' | null
  usage: Usage | null
  /** The server has reported the end of the reply. */
  ended: boolean
  progress: { read: number; total: number; cached?: number } | null
}

/** Reads a chunk of a chat or a completion, streamed or whole. Unknown shapes have no content. */
export function readPayload(json: unknown): Payload {
  const choice = field(field(json, 'choices'), 0) ?? json
  const messages = [field(choice, 'delta'), field(choice, 'message')]
  const content = [
    ...messages.map((message) => field(message, 'content')),
    field(choice, 'text'),
    field(choice, 'content'),
  ]
  const reason = nonEmptyText(field(choice, 'finish_reason')) ?? nonEmptyText(field(json, 'done_reason'))
  return {
    error: errorIn(json) ?? errorIn(choice),
    thinking: withoutControls(
      firstNonEmpty([...messages, choice].map(reasoningIn)) || firstNonEmpty(content.map(thinkingIn)),
    ),
    text: withoutControls(firstNonEmpty(content.map(textIn))),
    cut: reason === 'length' ? 'length' : null,
    usage: usageOf(json),
    ended: reason !== null,
    progress: progressIn(field(json, 'prompt_progress')),
  }
}

/** True for part of a reply or an error, valid even outside an event. */
export function isPayload(json: unknown): boolean {
  return Array.isArray(field(json, 'choices')) || isOllamaLine(json) || errorIn(json) !== null
}

export function errorIn(json: unknown): string | null {
  const error = field(json, 'error')
  if (error || field(json, 'object') === 'error')
    return messageIn(error) ?? messageIn(json) ?? 'an error without a message'
  return Array.isArray(field(json, 'choices')) ? null : messageIn(field(json, 'detail'))
}

// Only message fields: the rest of an error may repeat the request, and the story in it.
function messageIn(value: unknown): string | null {
  if (Array.isArray(value)) return value.map(messageIn).filter(Boolean).join('; ') || null
  return (
    nonEmptyText(value) ??
    nonEmptyText(field(value, 'message')) ??
    nonEmptyText(field(value, 'msg')) ??
    nestedIn(value)
  )
}

function nestedIn(value: unknown): string | null {
  const inner = field(value, 'error') ?? field(value, 'detail')
  return inner === undefined ? null : messageIn(inner)
}

// Servers that fill several of these repeat the same text.
function reasoningIn(value: unknown): string {
  return firstNonEmpty(
    ['reasoning_content', 'reasoning', 'thinking'].map((name) => nonEmptyText(field(value, name)) ?? ''),
  )
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return listOrEmpty(content)
    .map((part) => nonEmptyText(part) ?? (isThinking(part) ? '' : (nonEmptyText(field(part, 'text')) ?? '')))
    .join('')
}

function thinkingIn(content: unknown): string {
  return listOrEmpty(content)
    .filter(isThinking)
    .map(
      (part) =>
        reasoningIn(part) || textIn(field(part, 'thinking')) || (nonEmptyText(field(part, 'text')) ?? ''),
    )
    .join('')
}

function isThinking(part: unknown): boolean {
  const type = field(part, 'type')
  return type === 'thinking' || type === 'reasoning'
}

// llama.cpp includes cached tokens in `processed`.
function progressIn(progress: unknown): Payload['progress'] {
  const [read, total] = [wholeNumber(field(progress, 'processed')), wholeNumber(field(progress, 'total'))]
  const cached = wholeNumber(field(progress, 'cache'))
  if (read === null || total === null || read > total) return null
  return { read, total, ...(cached === null ? {} : { cached }) }
}

function usageOf(json: unknown): Usage | null {
  const reported = usageIn(field(json, 'usage')) ?? ollamaUsage(json)
  const timings = timingsIn(field(json, 'timings'))
  return reported && timings
    ? { ...reported, cached_tokens: reported.cached_tokens ?? timings.cached_tokens }
    : (reported ?? timings)
}

function usageIn(usage: unknown): Usage | null {
  if (typeof usage !== 'object' || usage === null) return null
  return {
    prompt_tokens: wholeNumber(field(usage, 'prompt_tokens')),
    cached_tokens: wholeNumber(field(field(usage, 'prompt_tokens_details'), 'cached_tokens')),
    completion_tokens: wholeNumber(field(usage, 'completion_tokens')),
  }
}

// llama.cpp sends timings with the last chunk: processed and cached tokens.
function timingsIn(timings: unknown): Usage | null {
  const processed = wholeNumber(field(timings, 'prompt_n'))
  if (processed === null) return null
  const cached = wholeNumber(field(timings, 'cache_n'))
  return {
    prompt_tokens: processed + (cached ?? 0),
    cached_tokens: cached,
    completion_tokens: wholeNumber(field(timings, 'predicted_n')),
  }
}

function firstNonEmpty(texts: readonly string[]): string {
  return texts.find((text) => text !== '') ?? ''
}

function isOllamaLine(json: unknown): boolean {
  return typeof field(json, 'done') === 'boolean'
}

function ollamaUsage(json: unknown): Usage | null {
  const prompt_tokens = wholeNumber(field(json, 'prompt_eval_count'))
  const completion_tokens = wholeNumber(field(json, 'eval_count'))
  if (prompt_tokens === null && completion_tokens === null) return null
  return { prompt_tokens, cached_tokens: null, completion_tokens }
}
