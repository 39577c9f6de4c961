import { StoryError } from '../../domain/errors.ts'
import type { Endpoint } from '../../domain/model/model-request.ts'
import type { ModelInfo } from '../../domain/model/model-server.ts'
import { parseJson } from '../../lib/json.ts'
import { counted } from '../../lib/text.ts'
import { ConnectionError } from '../connect/connection-error.ts'
import type { EndpointConnection } from '../connect/endpoint-connection.ts'
import { bodyText, type HttpResponse, isSuccess } from '../connect/transport.ts'
import { connectionErrorSentence, isWebPage, statusSentence, webPageSentence } from '../error-sentences.ts'
import { hostOf } from '../policy/endpoint-url.ts'
import { modelsIn } from '../servers/model-list.ts'

/**
 * Lists the models of an endpoint, within `seconds`. Throws endpoint_refused, endpoint_unreachable, endpoint_slow, or
 * the signal's reason.
 */
export async function listModels(
  connection: EndpointConnection,
  endpoint: Endpoint,
  seconds: number,
  signal?: AbortSignal,
): Promise<ModelInfo[]> {
  const timeout = new AbortController()
  const expire = () => timeout.abort(new ConnectionError('read_timeout', '', seconds))
  const timer = setTimeout(expire, seconds * 1_000)
  try {
    const limited = signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal
    const response = await connection.send(endpoint, { method: 'GET', path: '/models' }, limited)
    return await readModels(response, endpoint)
  } catch (error) {
    signal?.throwIfAborted()
    throw listErrorOf(error, endpoint)
  } finally {
    clearTimeout(timer)
    timeout.abort()
  }
}

async function readModels(response: HttpResponse, endpoint: Endpoint): Promise<ModelInfo[]> {
  const { status, headers } = response
  const body = await bodyText(response.body)
  const host = hostOf(endpoint)
  if (status === 503)
    throw new StoryError(
      'endpoint_slow',
      `${host} is busy or still loading its model. Try again in a moment.`,
    )
  if (!isSuccess(response))
    throw new StoryError('endpoint_unreachable', statusSentence({ status, headers, body }, host, null))
  if (isWebPage(body)) throw new StoryError('endpoint_unreachable', webPageSentence(host))
  return modelsIn(parseJson(body))
}

function listErrorOf(error: unknown, endpoint: Endpoint): unknown {
  if (!(error instanceof ConnectionError)) return error
  const isSlow = error.kind === 'connect_timeout' || error.kind === 'read_timeout'
  const sentence =
    error.kind === 'read_timeout'
      ? `${hostOf(endpoint)} did not list its models within ${counted(error.seconds, 'second')}.`
      : connectionErrorSentence(error, hostOf(endpoint))
  return new StoryError(isSlow ? 'endpoint_slow' : 'endpoint_unreachable', sentence)
}
