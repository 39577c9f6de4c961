import { isIP } from 'node:net'
import { outsideNetworkOf } from './addresses.ts'
import { cloudProviderOf } from './clouds.ts'
import { endpointRefused, parseEndpoint, withoutBrackets } from './endpoint-url.ts'

/** Looks up every address of a host name. Throws or returns none when the name does not resolve. */
export type Resolve = (host: string) => Promise<string[]>

/** An allowed endpoint: its base address, and the only IP addresses to connect to. */
export interface CheckedEndpoint {
  /** Without a slash at the end, unless the path is empty. */
  url: URL
  addresses: readonly [string, ...string[]]
}

/**
 * Checks an endpoint, resolving its name once: every address must be in an allowed network. Throws endpoint_refused with the
 * host, the address and its class; `reason` is `unresolved` when the name does not resolve.
 */
export async function checkEndpoint(text: string, resolve: Resolve): Promise<CheckedEndpoint> {
  const { url, zone } = parseEndpoint(text)
  const cloud = cloudProviderOf(url.hostname)
  if (cloud) throw endpointRefused(`${url.hostname} belongs to ${cloud}, a cloud service. ${LOCAL_ONLY}`)
  const addresses = await addressesOf(url.hostname, zone, resolve)
  for (const address of addresses) refuseOutside(url.hostname, address)
  return { url, addresses }
}

const LOCAL_ONLY = 'Stories stay on your own network.'

async function addressesOf(hostname: string, zone: string, resolve: Resolve): Promise<[string, ...string[]]> {
  const literal = withoutBrackets(hostname)
  if (isIP(literal) !== 0) return [literal + zone]
  const [first, ...others] = await resolve(hostname).catch((): string[] => [])
  if (first !== undefined) return [first, ...others]
  throw endpointRefused(
    `The name ${hostname} could not be resolved. Turn that machine on, or use its IP address.`,
    'unresolved',
  )
}

function refuseOutside(host: string, address: string): void {
  const outside = outsideNetworkOf(address)
  if (!outside) return
  const resolved = outside.address === withoutBrackets(host) ? '' : ` (${outside.address})`
  throw endpointRefused(`${host} is ${outside.name}${resolved}. ${LOCAL_ONLY}`)
}
