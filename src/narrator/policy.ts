import { isIP, isIPv4 } from 'node:net'
import { StoryError } from '../domain/errors.ts'
import { outsideOf } from './addresses.ts'
import { cloudOf } from './policy/clouds.ts'

/** Gives every address of a host name. Throws or gives none when the name does not resolve. */
export type Resolve = (host: string) => Promise<string[]>

/** An endpoint that may be spoken to: its base address, and the only addresses to connect to. */
export interface CheckedEndpoint {
  /** Without a slash at the end, unless the path is empty. */
  url: URL
  addresses: readonly [string, ...string[]]
}

/**
 * Judges the address of an endpoint, resolving its name once: every address must be inside (specification 7.1 and
 * 7.2). Throws endpoint_refused with host, address and class; `reason` is `unresolved` for a name that nobody knows.
 */
export async function judge(text: string, resolve: Resolve): Promise<CheckedEndpoint> {
  const { url, zone } = parseEndpoint(text)
  const cloud = cloudOf(url.hostname)
  if (cloud) throw refused(`${url.hostname} belongs to ${cloud}, a cloud service. ${AT_HOME}`)
  const addresses = await addressesOf(url.hostname, zone, resolve)
  for (const address of addresses) refuseOutside(url.hostname, address)
  return { url, addresses }
}

const AT_HOME = 'Stories stay on your own network.'
const EXAMPLE = 'Write it like http://127.0.0.1:8080/v1.'

/**
 * Reads the address of an endpoint as players paste it. A zone, as in `[fe80::1%25eth0]`, is taken out before the one
 * parser sees it, which knows none. Throws endpoint_refused.
 */
export function parseEndpoint(text: string): { url: URL; zone: string } {
  const { address, zone } = zoneApart(text.trim())
  // The parser would mend or drop these silently, and the player would not see which host is meant.
  if (/[\s\\\p{Cc}]/u.test(address))
    throw refused(`The address has a space, a line break or a backslash in it. ${EXAMPLE}`)
  if (!/^https?:\/\/[^/]/i.test(address))
    throw refused(`The address must begin with http:// or https://. ${EXAMPLE}`)
  const readable = inGroups(address)
  if (!URL.canParse(readable)) throw refused(`This is not an address that can be used. ${EXAMPLE}`)
  const url = new URL(readable)
  if (url.username || url.password || /^[^/]*\/\/[^/?#]*@/.test(address))
    throw refused(
      'The address has a name or password before an @. Inglenook keeps no keys: leave that part away.',
    )
  if (/[?#]/.test(address)) throw refused(`Leave away what follows the ? or # in the address. ${EXAMPLE}`)
  url.pathname = basePath(url.pathname)
  return { url, zone }
}

function zoneApart(text: string): { address: string; zone: string } {
  const [all, head, zone] = /^(https?:\/\/\[[0-9a-f:.]+)%(?:25)?([a-z0-9._~-]+)\]/i.exec(text) ?? []
  if (!all || !head || !zone) return { address: text, zone: '' }
  return { address: `${head}]${text.slice(all.length)}`, zone: `%${zone}` }
}

// The parser of the runtime gives up on some addresses that end in one of IPv4, as in [fd00:1:2:3::192.168.1.20].
function inGroups(address: string): string {
  const [all = '', head, dotted = ''] = /^(https?:\/\/\[[0-9a-f:]+:)([\d.]+)\]/i.exec(address) ?? []
  if (!isIPv4(dotted)) return address
  const groups = Buffer.from(dotted.split('.').map(Number)).toString('hex')
  return `${head}${groups.slice(0, 4)}:${groups.slice(4)}]${address.slice(all.length)}`
}

// Players paste the address of one route where the base is asked.
function basePath(path: string): string {
  return path
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/(chat\/completions|completions|models)$/, '')
    .replace(/(?<!\/)\/+$/, '')
}

async function addressesOf(hostname: string, zone: string, resolve: Resolve): Promise<[string, ...string[]]> {
  const literal = withoutBrackets(hostname)
  if (isIP(literal) !== 0) return [literal + zone]
  const [first, ...others] = await resolve(hostname).catch((): string[] => [])
  if (first !== undefined) return [first, ...others]
  throw refused(`${hostname} does not resolve; use its address, or switch it on.`, 'unresolved')
}

function refuseOutside(host: string, address: string): void {
  const outside = outsideOf(address)
  if (!outside) return
  const shown = outside.address === withoutBrackets(host) ? '' : ` (${outside.address})`
  throw refused(`${host} is ${outside.name}${shown}. ${AT_HOME}`)
}

/** The host and port of an endpoint that was judged, for a sentence. */
export function hostOf({ url }: { url: string }): string {
  return parseEndpoint(url).url.host
}

/** The root of the server that an address leads to, zone and all: its own pages lie beside the API. */
export function rootOf(url: string): string {
  return /^\s*(https?:\/\/[^/]+)/i.exec(url)?.[1] ?? url
}

/** The host of a URL as an address is written elsewhere: `[::1]` is `::1`. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function refused(sentence: string, reason?: string): StoryError {
  return new StoryError('endpoint_refused', sentence, reason === undefined ? {} : { reason })
}
