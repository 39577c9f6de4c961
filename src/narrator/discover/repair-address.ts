import { counted } from '../../lib/text.ts'
import { ConnectionError } from '../connect/connection-error.ts'
import { isSuccess, needsKey } from '../connect/transport.ts'
import {
  connectionErrorSentence,
  isPlainHttp,
  isWebPage,
  keyAdvice,
  webPageSentence,
} from '../error-sentences.ts'
import { hostOf, parseEndpoint } from '../policy/endpoint-url.ts'
import { isModelList } from '../servers/model-list.ts'
import type { PageResponse } from '../servers/server.ts'
import { type Probe, pageUrl, readPage } from './probe.ts'

export interface RepairedAddress {
  url: string
  /** Corrections, as a sentence; null if there were none. */
  changed: string | null
  /** Task for the player before it works; null if it is ready. */
  advice: string | null
}

/**
 * Corrects a pasted address: routes, slashes, a missing scheme or /v1, and https for http. Contacts only the pasted
 * host, for `seconds` in all. Throws endpoint_refused, and the signal's reason.
 */
export async function repairAddress(probe: Probe, isContained: () => boolean): Promise<RepairedAddress> {
  const pasted = probe.url.trim()
  const text = withScheme(pasted)
  await probe.connection.check(text)
  const origin = pageUrl(text, { atRoot: true })
  const paths = candidatePaths(parseEndpoint(text).url.pathname)
  const expired = AbortSignal.timeout(probe.seconds * 1_000)
  const failed: ProbeResult[] = []
  for (const base of [origin, withOtherScheme(origin)]) {
    const results = await Promise.all(paths.map((path) => tryModels({ ...probe, url: base + path }, expired)))
    const found = paths.filter((_, index) => isModelServer(results[index] ?? null))
    // llama-swap lists its models without /v1 too, but has nothing else there.
    const path = found.find((one) => one === `${found[0]}/v1`) ?? found[0]
    if (path !== undefined) {
      const url = base + path
      return { url, changed: changesIn(pasted, url), advice: adviceFor(results[paths.indexOf(path)] ?? null) }
    }
    failed.push(...results)
    // A server with an untrusted certificate must not be tried without encryption.
    if (results.some(isBadCertificate) || expired.aborted) break
  }
  const url = origin + paths[0]
  const advice = adviceWithout(failed, { url, seconds: probe.seconds }, isContained)
  return { url, changed: changesIn(pasted, url), advice }
}

/** A host with optional port and path. Anything else before a colon is another scheme, or a typing error. */
const WITHOUT_SCHEME = /^(?:\[[^\]]*\]|[^:/?#\\]+)(?::\d{1,5})?(?:\/|$)/

export function withScheme(pasted: string): string {
  return WITHOUT_SCHEME.test(pasted) ? `http://${pasted}` : pasted
}

const ROUTE = /\/(embeddings|chat|responses|messages)$/
/** The native APIs of KoboldCpp, Ollama and LM Studio. */
const NATIVE_API = /\/api(\/(v\d+|extra|chat|generate|tags|show|ps|embed|version)(\/.*)?)?$/

// The pasted path first: a server may have its API anywhere.
function candidatePaths(path: string): string[] {
  const base = path.replace(/(?<!\/)\/+$/, '').replace(ROUTE, '')
  const root = base.replace(NATIVE_API, '')
  const bases = root === base ? [base] : [base, root, `${root}/v1`]
  return base.endsWith('/v1') ? bases : [...bases, `${base}/v1`]
}

function withOtherScheme(origin: string): string {
  return /^https:/i.test(origin) ? origin.replace(/^https/i, 'http') : origin.replace(/^http/i, 'https')
}

async function tryModels(probe: Probe, expired: AbortSignal): Promise<ProbeResult> {
  try {
    const signal = AbortSignal.any([probe.signal, expired])
    return await readPage({ ...probe, signal }, '/models')
  } catch (error) {
    probe.signal.throwIfAborted()
    return error instanceof ConnectionError ? error : null
  }
}

// A server that requires a key or is loading counts; one that answers without a model list does not.
function isModelServer(result: ProbeResult): boolean {
  if (result === null || result instanceof ConnectionError) return false
  return isSuccess(result) ? isModelList(result.json) : needsKey(result) || result.status === 503
}

function isBadCertificate(result: ProbeResult): boolean {
  return result instanceof ConnectionError && result.kind === 'untrusted' && !isPlainHttp(result)
}

type ProbeResult = PageResponse | ConnectionError | null

/** Difference of two addresses as a sentence; null if there is none. */
function changesIn(pasted: string, url: string): string | null {
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

function adviceFor(result: ProbeResult): string | null {
  return isPage(result) && needsKey(result) ? keyAdvice(result.text) : null
}

function adviceWithout(
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
