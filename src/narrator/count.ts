import { PER_MESSAGE } from '../domain/prompt/tokens.ts'
import type { Endpoint, Message } from '../domain/model/model-request.ts'
import { bodyText } from './connect/body-text.ts'
import { parseJson } from './json.ts'
import { addressOf } from './pages.ts'
import type { Counting } from './servers/server.ts'
import { serverOf } from './servers/servers.ts'
import { isSuccess, type Wire } from './wire.ts'

/**
 * Tokens of a prompt by the vocabulary of the model; null when its server does not count, or not within so many
 * milliseconds. A way that is not there is put into `missing`, and not tried again. Throws the signal's reason alone.
 */
export async function count(
  wire: Wire,
  missing: Set<string>,
  endpoint: Endpoint,
  model: string,
  messages: readonly Message[],
  milliseconds: number,
  signal: AbortSignal,
): Promise<number | null> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])
  for (const way of serverOf(endpoint.server).counting) {
    const name = `${endpoint.url} ${way.path}`
    if (missing.has(name)) continue
    try {
      const tokens = await countBy(wire, way, endpoint, model, messages, limited)
      if (tokens === 'missing') missing.add(name)
      else if (tokens !== null) return tokens
    } catch {
      signal.throwIfAborted()
      return null
    }
  }
  return null
}

async function countBy(
  wire: Wire,
  way: Counting,
  { url, read_timeout_seconds }: Endpoint,
  model: string,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<number | 'missing' | null> {
  const answer = await wire.ask(
    { url: addressOf(url, way), read_timeout_seconds },
    { method: 'POST', path: way.path, body: JSON.stringify(way.body(model, messages)) },
    signal,
  )
  const text = await bodyText(answer.body)
  if (answer.status === 404) return 'missing'
  const counted = isSuccess(answer) ? way.read(parseJson(text)) : null
  if (typeof counted !== 'number' || !Number.isSafeInteger(counted) || counted <= 0) return null
  return way.countsTemplate ? counted : counted + messages.length * PER_MESSAGE
}
