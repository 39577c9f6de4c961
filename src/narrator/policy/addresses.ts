import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Networks that stories may be sent to. Every other address is refused. */
const ALLOWED_NETWORKS = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  linkLocal: ['169.254.0.0/16', 'fe80::/10'],
  uniqueLocal: ['fc00::/7'],
  carrierGradeNat: ['100.64.0.0/10'],
} as const

export const NETWORK_NAMES: Record<keyof typeof ALLOWED_NETWORKS, string> = {
  loopback: 'this machine (loopback)',
  private: 'your private network (RFC 1918)',
  linkLocal: 'your local network segment (link-local)',
  uniqueLocal: 'your private network (IPv6 unique-local)',
  carrierGradeNat: 'a private overlay network or your provider’s internal network (carrier-grade NAT)',
}

export const PUBLIC_INTERNET = 'on the public internet'

const REFUSED_NETWORKS: readonly { cidr: string; name: string }[] = [
  { cidr: '0.0.0.0/32', name: 'the unspecified address, which belongs to no machine' },
  { cidr: '0.0.0.0/8', name: 'a reserved address' },
  { cidr: '192.0.2.0/24', name: 'reserved for documentation' },
  { cidr: '198.51.100.0/24', name: 'reserved for documentation' },
  { cidr: '203.0.113.0/24', name: 'reserved for documentation' },
  { cidr: '198.18.0.0/15', name: 'reserved for benchmarking' },
  { cidr: '192.0.0.0/24', name: 'a reserved address' },
  { cidr: '224.0.0.0/4', name: 'a multicast address' },
  { cidr: '255.255.255.255/32', name: 'the broadcast address' },
  { cidr: '240.0.0.0/4', name: 'a reserved address' },
  { cidr: '::/128', name: 'the unspecified address, which belongs to no machine' },
  { cidr: 'ff00::/8', name: 'a multicast address' },
  { cidr: '2001:db8::/32', name: 'reserved for documentation' },
  { cidr: '3fff::/20', name: 'reserved for documentation' },
  { cidr: '2001:2::/48', name: 'reserved for benchmarking' },
  // Tunnels and translators: whatever address is inside, the packets may leave the house (RFC 3056, 4380, 6052, 8215).
  { cidr: '2002::/16', name: 'a 6to4 address, which may lead out of your network' },
  { cidr: '2001::/32', name: 'a Teredo address, which may lead out of your network' },
  { cidr: '64:ff9b::/96', name: 'a NAT64 address, which may lead out of your network' },
  { cidr: '64:ff9b:1::/48', name: 'a NAT64 address, which may lead out of your network' },
  { cidr: '2000::/3', name: PUBLIC_INTERNET },
  { cidr: '::/0', name: 'a reserved address' },
]

const IPV4_IN_IPV6 = ['::ffff:0:0/96', '::ffff:0:0:0/96', '::/96'] as const

type Address = ipaddr.IPv4 | ipaddr.IPv6

const allowed = Object.values(ALLOWED_NETWORKS)
  .flat()
  .map((cidr) => ipaddr.parseCIDR(cidr))
const refused = REFUSED_NETWORKS.map(({ cidr, name }) => ({ cidr: ipaddr.parseCIDR(cidr), name }))
const embedded = IPV4_IN_IPV6.map((cidr) => ipaddr.parseCIDR(cidr))

/** The refused address, which may be an embedded one, and its network; null if allowed. Ignores a zone. */
export function outsideNetworkOf(text: string): { address: string; name: string } | null {
  if (isIP(text) === 0) return { address: text, name: 'not an address' }
  const parsed = unembedded(ipaddr.parse(withoutZone(text)))
  const address = [parsed, tunnelEnd(parsed)].find((one) => one !== null && !isAllowed(one))
  if (!address) return null
  const name = refused.find((network) => contains(network.cidr, address))?.name ?? PUBLIC_INTERNET
  return { address: address.toString(), name }
}

function isAllowed(address: Address): boolean {
  return allowed.some((network) => contains(network, address))
}

export function addressClass(text: string): string | null {
  if (isIP(text) === 0) return null
  const address = unembedded(ipaddr.parse(withoutZone(text)))
  const found = Object.entries(ALLOWED_NETWORKS).find(([, cidrs]) =>
    cidrs.some((cidr) => contains(ipaddr.parseCIDR(cidr), address)),
  )
  return found ? NETWORK_NAMES[found[0] as keyof typeof ALLOWED_NETWORKS] : null
}

export function isSameAddress(one: string, other: string): boolean {
  if (isIP(one) === 0 || isIP(other) === 0) return false
  return normalized(one) === normalized(other)
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, '')
}

// Such an address reaches the embedded IPv4 host, so that host is checked.
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
