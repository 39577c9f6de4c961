import { keyAdvice } from './key-advice.ts'
import { LineFault } from './connect/connection-error.ts'
import { hostOf, parseEndpoint } from './policy.ts'
import { isWebPage } from './messages/quote.ts'
import { faultSentence, inSeconds } from './sentences.ts'
import type { PageAnswer } from './servers/server.ts'

/** What came back from one try: null after a silence. */
export type Heard = PageAnswer | LineFault | null

/** What became of an address that was pasted, as a sentence; null when it stayed as it was. */
export function changesIn(written: string, url: string): string | null {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(written) ?? []
  const [, newScheme = '', newRest = ''] = /^(\w+:\/\/)(.*)$/s.exec(url) ?? []
  const isAdded = newRest.endsWith('/v1') && !rest.startsWith(newRest)
  const off = rest.slice(newRest.length - (isAdded ? '/v1'.length : 0))
  const changes = [
    scheme === '' && `${newScheme} was put in front`,
    scheme !== '' && scheme.toLowerCase() !== newScheme.toLowerCase() && `${scheme} became ${newScheme}`,
    off !== '' && `“${off}” was taken off the end`,
    isAdded && '/v1 was added',
  ].filter((change) => change !== false)
  return changes.length === 0 ? null : `The address was put right: ${changes.join(', ')}.`
}

/** What to do about a model server that answered; null when it can be used as it is. */
export function adviceBehind(heard: Heard): string | null {
  return isPage(heard) && (heard.status === 401 || heard.status === 403) ? keyAdvice(heard.text) : null
}

/** What to do where no model server answered, by what came back of each try. */
export function adviceWithout(
  heard: readonly Heard[],
  url: string,
  seconds: number,
  isContained: () => boolean,
): string {
  const host = hostOf({ url })
  const pages = heard.filter(isPage)
  if (pages.length === 0 && isLoopback(url) && isContained())
    return `Nothing answers at ${host}. Inglenook runs in a container, where ${host} is the container itself: write host.docker.internal, or the address of the machine that the model server runs on.`
  if (pages.some(({ text }) => isWebPage(text)))
    return `A web page answers at ${host}, not a model server. Look at port and path of the address.`
  if (pages.length > 0) return `${host} answers, but lists no models. Look at port and path of the address.`
  const [first] = heard
  return first instanceof LineFault
    ? faultSentence(first, host)
    : `${host} did not answer within ${inSeconds(seconds)}.`
}

function isPage(heard: Heard): heard is PageAnswer {
  return heard !== null && !(heard instanceof LineFault)
}

function isLoopback(url: string): boolean {
  return /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(parseEndpoint(url).url.hostname)
}
