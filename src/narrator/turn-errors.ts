import { StoryError } from '../domain/errors.ts'
import type { Endpoint, Telling } from '../domain/model/model-request.ts'
import { LineFault } from './connect/connection-error.ts'
import { hostOf } from './policy.ts'
import { faultSentence, inSeconds, statusSentence } from './sentences.ts'
import type { Answer } from './transport.ts'

/** What went wrong between us and an endpoint as the error of a turn: provider_error or timeout (specification 7). */
export function asTurnError(error: unknown, endpoint: Endpoint): unknown {
  if (error instanceof LineFault) {
    const code = error.kind === 'unconnected' || error.kind === 'silent' ? 'timeout' : 'provider_error'
    return new StoryError(code, faultSentence(error, hostOf(endpoint)))
  }
  if (!(error instanceof StoryError) || error.code !== 'endpoint_refused') return error
  return new StoryError('provider_error', error.message, { reason: error.more.reason ?? 'endpoint_refused' })
}

/** The error of a turn that was answered, but not with success. `body` is what the server wrote. */
export function refusedAnswer(
  { status, headers }: Answer,
  body: string,
  endpoint: Endpoint,
  { model }: Telling,
): StoryError {
  const sentence = statusSentence(status, headers, body, hostOf(endpoint), model)
  return new StoryError(
    'provider_error',
    sentence,
    status >= 300 && status < 400 ? { reason: 'redirect' } : {},
  )
}

/** The timeout of a turn whose server has not become ready for as long as it may be silent. `words` are its last. */
export function loadingTooLong(endpoint: Endpoint, words: string): StoryError {
  const allowed = inSeconds(endpoint.read_timeout_seconds)
  const said = words ? ` It said: ${words}` : ''
  return new StoryError(
    'timeout',
    `${hostOf(endpoint)} was not ready after ${allowed}: it was loading, busy or gone. Retry, or raise “Longest silence” in Settings.${said}`,
  )
}
