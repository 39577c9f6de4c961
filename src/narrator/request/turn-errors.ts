import type { IncomingHttpHeaders } from 'node:http'
import { StoryError } from '../../domain/errors.ts'
import type { Endpoint, ModelRequest } from '../../domain/model/model-request.ts'
import { parseJson } from '../../lib/json.ts'
import { counted } from '../../lib/text.ts'
import { ConnectionError } from '../connect/connection-error.ts'
import type { HttpResponse } from '../connect/transport.ts'
import { connectionErrorSentence, quotedMessage, statusSentence } from '../error-sentences.ts'
import { hostOf } from '../policy/endpoint-url.ts'

/** Converts connection errors and refused endpoints to provider_error or timeout. */
export function turnErrorOf(error: unknown, endpoint: Endpoint): unknown {
  if (error instanceof ConnectionError) {
    const isTimeout = error.kind === 'connect_timeout' || error.kind === 'read_timeout'
    const message = connectionErrorSentence(error, hostOf(endpoint))
    return new StoryError(isTimeout ? 'timeout' : 'provider_error', message)
  }
  if (!(error instanceof StoryError) || error.code !== 'endpoint_refused') return error
  return new StoryError('provider_error', error.message, { reason: error.more.reason ?? 'endpoint_refused' })
}

export function httpErrorOf(
  { status, headers }: HttpResponse,
  body: string,
  endpoint: Endpoint,
  { model }: ModelRequest,
): StoryError {
  const message = statusSentence({ status, headers, body }, hostOf(endpoint), model)
  const isRedirect = status >= 300 && status < 400
  return new StoryError('provider_error', message, isRedirect ? { reason: 'redirect' } : {})
}

export function loadingTimeout(endpoint: Endpoint, message: string): StoryError {
  const waited = counted(endpoint.read_timeout_seconds, 'second')
  return new StoryError(
    'timeout',
    `${hostOf(endpoint)} was not ready after ${waited}: it was loading or busy. Retry, or raise “Response timeout” in Settings.${quotedMessage(message)}`,
  )
}

export function goneTimeout(endpoint: Endpoint): StoryError {
  const waited = counted(endpoint.read_timeout_seconds, 'second')
  return new StoryError(
    'timeout',
    `Nothing has answered at ${hostOf(endpoint)} for ${waited}. Start the model server, then retry.`,
  )
}

/** Seconds before the next request (RFC 9110, 10.2.3); 0 if unknown. */
export function retryAfter({ 'retry-after': value = '', date = '' }: IncomingHttpHeaders): number {
  if (/^\s*\d+\s*$/.test(value)) return Number(value)
  // A date is relative to the server's clock, which may differ from ours.
  const seconds = (Date.parse(value) - Date.parse(date)) / 1_000
  return Math.max(0, seconds || 0)
}

export function unknownFields(status: number, body: string, sent: readonly string[]): string[] {
  if (status !== 400 && status !== 422) return []
  const text = withoutInput(body)
  return REJECTED.test(text) ? sent.filter((name) => isNamed(name, text)) : []
}

const REJECTED =
  /unknown|unexpected|unrecogni[sz]ed|unsupported|extra[ _](inputs|fields|forbidden)|(not|n't) (currently )?(be )?(allow|permit|recogni[sz]|support)/i

// A model without `think` is reported as one that does not support thinking (Ollama).
function isNamed(name: string, text: string): boolean {
  return new RegExp(`(?<!\\w)${RegExp.escape(name)}(ing)?(?!\\w)`).test(text)
}

// Some servers repeat the request, and the story in it may contain any of these words.
function withoutInput(body: string): string {
  const json = parseJson(body)
  return json === undefined
    ? body
    : JSON.stringify(json, (key, value) => (key === 'input' ? undefined : value))
}
