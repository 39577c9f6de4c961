import { isIPv4 } from 'node:net'
import { StoryError } from '../../domain/errors.ts'

const EXAMPLE = 'Example: http://127.0.0.1:9931/v1'

/**
 * Parses a pasted endpoint address. An IPv6 zone, as in `[fe80::1%25eth0]`, is separate: the URL parser rejects it.
 * Throws endpoint_refused.
 */
export function parseEndpoint(text: string): { url: URL; zone: string } {
  const { address, zone } = splitZone(text.trim())
  // The parser would silently repair or drop these, which hides the real host.
  if (/[\s\\\p{Cc}]/u.test(address))
    throw endpointRefused(`The address contains a space, a line break or a backslash. ${EXAMPLE}`)
  if (!/^https?:\/\/[^/]/i.test(address))
    throw endpointRefused(`The address must start with http:// or https://. ${EXAMPLE}`)
  const readable = withIpv6Groups(address)
  if (!URL.canParse(readable)) throw endpointRefused(`The address is not valid. ${EXAMPLE}`)
  const url = new URL(readable)
  if (url.username || url.password || /^[^/]*\/\/[^/?#]*@/.test(address))
    throw endpointRefused(
      'The address contains a user name or password before an @. Remove it: Inglenook does not store credentials.',
    )
  if (/[?#]/.test(address))
    throw endpointRefused(`Remove the ? or # and everything after it from the address. ${EXAMPLE}`)
  url.pathname = basePath(url.pathname)
  return { url, zone }
}

function splitZone(text: string): { address: string; zone: string } {
  const [all, head, zone] = /^(https?:\/\/\[[0-9a-f:.]+)%(?:25)?([a-z0-9._~-]+)\]/i.exec(text) ?? []
  if (!all || !head || !zone) return { address: text, zone: '' }
  return { address: `${head}]${text.slice(all.length)}`, zone: `%${zone}` }
}

// Bun's parser rejects some addresses that end in dotted IPv4, such as [fd00:1:2:3::192.168.1.20].
function withIpv6Groups(address: string): string {
  const [all = '', head, dotted = ''] = /^(https?:\/\/\[[0-9a-f:]+:)([\d.]+)\]/i.exec(address) ?? []
  if (!isIPv4(dotted)) return address
  const groups = Buffer.from(dotted.split('.').map(Number)).toString('hex')
  return `${head}${groups.slice(0, 4)}:${groups.slice(4)}]${address.slice(all.length)}`
}

// Players often paste the address of a route instead of the base address.
function basePath(path: string): string {
  return path
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/(chat\/completions|completions|models)$/, '')
    .replace(/(?<!\/)\/+$/, '')
}

export function hostOf({ url }: { url: string }): string {
  return parseEndpoint(url).url.host
}

export function rootOf(url: string): string {
  return /^\s*(https?:\/\/[^/]+)/i.exec(url)?.[1] ?? url
}

export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** `reason` is `unresolved` if only the look-up of the name failed. */
export function endpointRefused(message: string, reason?: string): StoryError {
  return new StoryError('endpoint_refused', message, reason === undefined ? {} : { reason })
}
