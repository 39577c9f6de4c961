import type { IncomingHttpHeaders } from 'node:http'
import { StoryError } from '../../domain/errors.ts'
import type { Endpoint, ModelRequest } from '../../domain/model/model-request.ts'
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
