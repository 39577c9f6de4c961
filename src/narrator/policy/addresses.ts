import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ALLOWED_NETWORKS, IPV4_IN_IPV6, NETWORK_NAMES, PUBLIC, REFUSED_NETWORKS } from './networks.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

const allowed = Object.values(ALLOWED_NETWORKS)
  .flat()
  .map((cidr) => ipaddr.parseCIDR(cidr))
const refused = REFUSED_NETWORKS.map(({ cidr, name }) => ({ cidr: ipaddr.parseCIDR(cidr), name }))
const embedded = IPV4_IN_IPV6.map((cidr) => ipaddr.parseCIDR(cidr))

/** An address that is not allowed, and what it "is", for a message. */
interface OutsideNetwork {
  /** The embedded IPv4 address, if that decided. */
  address: string
  name: string
}

/** The reason not to send stories to an address; null for an allowed one. Ignores a zone. */
export function outsideNetworkOf(text: string): OutsideNetwork | null {
  if (isIP(text) === 0) return { address: text, name: 'not an address' }
  const parsed = unembedded(ipaddr.parse(withoutZone(text)))
  const address = [parsed, tunnelEnd(parsed)].find((one) => one !== null && !isAllowed(one))
  if (!address) return null
  const name = refused.find((network) => contains(network.cidr, address))?.name ?? PUBLIC
  return { address: address.toString(), name }
}

function isAllowed(address: Address): boolean {
  return allowed.some((network) => contains(network, address))
}

/** The name of the allowed network that an address is in; null for any other address. */
export function addressClass(text: string): string | null {
  if (isIP(text) === 0) return null
  const address = unembedded(ipaddr.parse(withoutZone(text)))
  const found = Object.entries(ALLOWED_NETWORKS).find(([, cidrs]) =>
    cidrs.some((cidr) => contains(ipaddr.parseCIDR(cidr), address)),
  )
  return found ? NETWORK_NAMES[found[0] as keyof typeof ALLOWED_NETWORKS] : null
}

/** Whether two texts are the same address, in any notation and regardless of the zone. */
export function isSameAddress(one: string, other: string): boolean {
  if (isIP(one) === 0 || isIP(other) === 0) return false
  return normalized(one) === normalized(other)
}

/** Removes the network interface, as in `fe80::1%eth0`. */
function withoutZone(address: string): string {
  return address.replace(/%.*$/, '')
}

// Such an address reaches the IPv4 host embedded in it, so that host is checked.
function unembedded(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6) || isUnspecifiedOrLoopback(address)) return address
  return embedded.some((cidr) => contains(cidr, address)) ? lastIPv4(address) : address
}

// ISATAP sends packets for any prefix through a tunnel to the IPv4 address at the end (RFC 5214, 6.1).
function tunnelEnd(address: Address): Address | null {
  if (!(address instanceof ipaddr.IPv6)) return null
  const [high = 0, low = 0] = address.parts.slice(4)
  return (high === 0 || high === 0x200) && low === 0x5efe ? lastIPv4(address) : null
}

function lastIPv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(-4))
}

// :: and ::1 are in the block of IPv4-compatible addresses but are not such addresses.
function isUnspecifiedOrLoopback(address: ipaddr.IPv6): boolean {
  return address.parts.every((part, index) => (index < 7 ? part === 0 : part <= 1))
}

function contains(cidr: [Address, number], address: Address): boolean {
  return cidr[0].kind() === address.kind() && address.match(cidr)
}

function normalized(text: string): string {
  return ipaddr.process(withoutZone(text)).toString()
}
