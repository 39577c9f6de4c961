import type { Message } from '../../domain/model/model-request.ts'
import { PER_MESSAGE } from '../../domain/prompt/tokens.ts'
import { parseJson } from '../../lib/json.ts'
import { isCount } from '../../lib/numbers.ts'
import type { EndpointContext } from '../connect/endpoint-connection.ts'
import { bodyText, isSuccess } from '../connect/transport.ts'
import { pageUrl } from '../discover/probe.ts'
import type { TokenCounter } from '../servers/server.ts'
import { serverOf } from '../servers/servers.ts'

/**
 * Counts a prompt with the model's tokenizer; null if the server cannot, or not within `seconds`. A route that
 * answers 404 is not tried again. Throws only the signal's reason.
 */
export async function countTokens(
  context: EndpointContext,
  model: string,
  messages: readonly Message[],
  seconds: number,
): Promise<number | null> {
  const { connection, endpoint } = context
  const { missingRoutes } = connection.quirks
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(seconds * 1_000)])
  for (const counter of serverOf(endpoint.server).tokenCounters ?? []) {
    const route = `${endpoint.url} ${counter.path}`
    if (missingRoutes.has(route)) continue
    try {
      const tokens = await countWith(counter, { connection, endpoint, signal }, model, messages)
      if (tokens === 'missing') missingRoutes.add(route)
      else if (tokens !== null) return tokens
    } catch {
      context.signal.throwIfAborted()
      return null
    }
  }
  return null
}

async function countWith(
  counter: TokenCounter,
  { connection, endpoint, signal }: EndpointContext,
  model: string,
  messages: readonly Message[],
): Promise<number | 'missing' | null> {
  const { url, read_timeout_seconds } = endpoint
  const response = await connection.send(
    { url: pageUrl(url, counter), read_timeout_seconds },
    { method: 'POST', path: counter.path, body: JSON.stringify(counter.body(model, messages)) },
    signal,
  )
  const text = await bodyText(response.body)
  if (response.status === 404) return 'missing'
  const tokens = isSuccess(response) ? counter.read(parseJson(text)) : null
  if (!isCount(tokens, 1)) return null
  return counter.countsTemplate ? tokens : tokens + messages.length * PER_MESSAGE
}
