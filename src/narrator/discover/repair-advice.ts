import { counted } from '../../lib/text.ts'
import { ConnectionError } from '../connect/connection-error.ts'
import { connectionErrorSentence, webPageSentence } from '../messages/error-sentences.ts'
import { keyAdvice } from '../messages/key-advice.ts'
import { isWebPage } from '../messages/quote.ts'
import { hostOf, parseEndpoint } from '../policy/endpoint-url.ts'
import type { PageResponse } from '../servers/server.ts'

/** The result of one try: null after a timeout. */
export type ProbeResult = PageResponse | ConnectionError | null

/** The difference between the pasted and the corrected address, as a sentence; null when there is none. */
export function changesIn(pasted: string, url: string): string | null {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(pasted) ?? []
  const [, newScheme = '', newRest = ''] = /^(\w+:\/\/)(.*)$/s.exec(url) ?? []
  const isAdded = newRest.endsWith('/v1') && !rest.startsWith(newRest)
  const removed = rest.slice(newRest.length - (isAdded ? '/v1'.length : 0))
  const changes = [
    scheme === '' && `${newScheme} was added`,
    scheme !== '' && scheme.toLowerCase() !== newScheme.toLowerCase() && `${scheme} became ${newScheme}`,
    removed !== '' && `“${removed}” was removed from the end`,
    isAdded && '/v1 was added',
  ].filter((change) => change !== false)
  return changes.length === 0 ? null : `The address was corrected: ${changes.join(', ')}.`
}

/** What to do about the model server that was found; null when it is ready. */
export function adviceFor(result: ProbeResult): string | null {
  return isPage(result) && (result.status === 401 || result.status === 403) ? keyAdvice(result.text) : null
}

/** What to do when no try found a model server. */
export function adviceWithout(
  results: readonly ProbeResult[],
  { url, seconds }: { url: string; seconds: number },
  isContained: () => boolean,
): string {
  const host = hostOf({ url })
  const pages = results.filter(isPage)
  if (pages.length === 0 && isLoopback(url) && isContained())
    return `No server answered at ${host}. Inglenook runs in a container, where ${host} is the container itself. Use host.docker.internal, or the address of the machine that runs the model server.`
  if (pages.some(({ text }) => isWebPage(text))) return webPageSentence(host)
  if (pages.length > 0)
    return `${host} answered, but did not list any models. Check the port and path of the address.`
  const [first] = results
  return first instanceof ConnectionError
    ? connectionErrorSentence(first, host)
    : `${host} did not answer within ${counted(seconds, 'second')}.`
}

function isPage(result: ProbeResult): result is PageResponse {
  return result !== null && !(result instanceof ConnectionError)
}

function isLoopback(url: string): boolean {
  return /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(parseEndpoint(url).url.hostname)
}
