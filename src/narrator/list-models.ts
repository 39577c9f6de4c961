import { StoryError } from '../domain/errors.ts'
import type { Endpoint } from '../domain/model/model-request.ts'
import { bodyText } from './connect/body-text.ts'
import { parseJson } from './json.ts'
import { LineFault } from './connect/connection-error.ts'
import { type ModelInfo, modelsIn } from './discover/model-list.ts'
import { hostOf } from './policy.ts'
import { isWebPage } from './messages/quote.ts'
import { faultSentence, inSeconds, statusSentence } from './sentences.ts'
import type { Answer } from './transport.ts'
import { isSuccess, type Wire } from './wire.ts'

/**
 * Asks an endpoint for its models, for `seconds` in all. Throws endpoint_refused, endpoint_unreachable, endpoint_slow,
 * or the signal's reason.
 */
export async function listModels(
  wire: Wire,
  endpoint: Endpoint,
  seconds: number,
  signal?: AbortSignal,
): Promise<ModelInfo[]> {
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(new LineFault('silent', '', seconds)), seconds * 1_000)
  try {
    const both = signal ? AbortSignal.any([signal, end.signal]) : end.signal
    const answer = await wire.ask(endpoint, { method: 'GET', path: '/models' }, both)
    return await readModels(answer, endpoint)
  } catch (error) {
    signal?.throwIfAborted()
    throw asListError(error, endpoint)
  } finally {
    clearTimeout(timer)
    end.abort()
  }
}

async function readModels(answer: Answer, endpoint: Endpoint): Promise<ModelInfo[]> {
  const { status, headers, body } = answer
  const text = await bodyText(body)
  const host = hostOf(endpoint)
  if (status === 503)
    throw new StoryError('endpoint_slow', `${host} is busy or still loading its model. Try again in a while.`)
  if (!isSuccess(answer))
    throw new StoryError('endpoint_unreachable', statusSentence(status, headers, text, host, null))
  if (isWebPage(text))
    throw new StoryError(
      'endpoint_unreachable',
      `A web page answered at ${host}, not a model server. Look at port and path of the address.`,
    )
  return modelsIn(parseJson(text))
}

function asListError(error: unknown, endpoint: Endpoint): unknown {
  if (!(error instanceof LineFault)) return error
  const isSlow = error.kind === 'unconnected' || error.kind === 'silent'
  const sentence =
    error.kind === 'silent'
      ? `${hostOf(endpoint)} did not list its models within ${inSeconds(error.seconds)}.`
      : faultSentence(error, hostOf(endpoint))
  return new StoryError(isSlow ? 'endpoint_slow' : 'endpoint_unreachable', sentence)
}
