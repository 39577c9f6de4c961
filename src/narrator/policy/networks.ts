/** Where stories may go, complete and in CIDR text (specification 7.1). What is not in this list is outside. */
export const INSIDE = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  linkLocal: ['169.254.0.0/16', 'fe80::/10'],
  uniqueLocal: ['fc00::/7'],
  carrierGradeNat: ['100.64.0.0/10'],
} as const

/** What a player may call each class. */
export const CLASSES: Record<keyof typeof INSIDE, string> = {
  loopback: 'this machine itself (loopback)',
  private: 'your private network (RFC 1918)',
  linkLocal: 'the cable or radio that this machine is on (link-local)',
  uniqueLocal: 'your private network (IPv6 unique-local)',
  carrierGradeNat: 'a private overlay or your provider’s inner network (carrier-grade NAT)',
}

/** A block of addresses in CIDR text, and what stands after "is" in a sentence about one of them. */
export interface Network {
  cidr: string
  name: string
}

/** Blocks outside that have a better name than the public internet. The first one that fits is told. */
export const OUTSIDE: readonly Network[] = [
  { cidr: '0.0.0.0/32', name: 'the unspecified address, which names no machine' },
  { cidr: '0.0.0.0/8', name: 'a reserved address' },
  { cidr: '192.0.2.0/24', name: 'reserved for documentation' },
  { cidr: '198.51.100.0/24', name: 'reserved for documentation' },
  { cidr: '203.0.113.0/24', name: 'reserved for documentation' },
  { cidr: '198.18.0.0/15', name: 'reserved for benchmarks' },
  { cidr: '192.0.0.0/24', name: 'a reserved address' },
  { cidr: '224.0.0.0/4', name: 'a multicast address' },
  { cidr: '255.255.255.255/32', name: 'the broadcast address' },
  { cidr: '240.0.0.0/4', name: 'a reserved address' },
  { cidr: '::/128', name: 'the unspecified address, which names no machine' },
  { cidr: 'ff00::/8', name: 'a multicast address' },
  { cidr: '2001:db8::/32', name: 'reserved for documentation' },
  { cidr: '3fff::/20', name: 'reserved for documentation' },
  { cidr: '2001:2::/48', name: 'reserved for benchmarks' },
  { cidr: '2000::/3', name: 'on the public internet' },
  { cidr: '::/0', name: 'a reserved address' },
]

/** IPv6 blocks whose addresses stand for an IPv4 address, which begins at bit `from`. */
export const EMBEDDING: readonly { cidr: string; from: number }[] = [
  { cidr: '::ffff:0:0/96', from: 96 },
  { cidr: '::ffff:0:0:0/96', from: 96 },
  { cidr: '64:ff9b::/96', from: 96 },
  { cidr: '2002::/16', from: 16 },
  { cidr: '::/96', from: 96 },
]
