/** The networks that stories may be sent to. Every other address is refused. */
export const ALLOWED_NETWORKS = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  linkLocal: ['169.254.0.0/16', 'fe80::/10'],
  uniqueLocal: ['fc00::/7'],
  carrierGradeNat: ['100.64.0.0/10'],
} as const

/** Each network as the player reads it. */
export const NETWORK_NAMES: Record<keyof typeof ALLOWED_NETWORKS, string> = {
  loopback: 'this machine (loopback)',
  private: 'your private network (RFC 1918)',
  linkLocal: 'your local network segment (link-local)',
  uniqueLocal: 'your private network (IPv6 unique-local)',
  carrierGradeNat: 'a private overlay network or your provider’s internal network (carrier-grade NAT)',
}

/** What an address is that every machine of the world can reach. */
export const PUBLIC = 'on the public internet'

/** A block of addresses, and what follows "is" in a message about one of them. */
interface Network {
  cidr: string
  name: string
}

/** Names for refused addresses, more specific ones first. */
export const REFUSED_NETWORKS: readonly Network[] = [
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
  { cidr: '2000::/3', name: PUBLIC },
  { cidr: '::/0', name: 'a reserved address' },
]

/** IPv6 blocks whose addresses are another spelling of the IPv4 address at their end. */
export const IPV4_IN_IPV6 = ['::ffff:0:0/96', '::ffff:0:0:0/96', '::/96'] as const
