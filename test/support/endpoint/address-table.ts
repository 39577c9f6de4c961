/**
 * A second, independent table of allowed addresses, from the IANA registries and the RFCs, as the first and last number of
 * each range. It works on numbers and generates spellings from them; it never parses an address.
 * https://www.iana.org/assignments/iana-ipv4-special-registry and .../iana-ipv6-special-registry
 */

/** An address as a number. */
export interface Address {
  family: 4 | 6
  value: bigint
}

/** A range, both ends included, and its name in a refusal; null if it is allowed. */
export interface Range {
  first: bigint
  last: bigint
  refused: string | null
}

const PUBLIC = 'on the public internet'
const RESERVED = 'a reserved address'
const UNSPECIFIED = 'the unspecified address, which belongs to no machine'
const DOCUMENTATION = 'reserved for documentation'
const BENCHMARKS = 'reserved for benchmarking'
const MULTICAST = 'a multicast address'
const leadsOut = (kind: string) => `a ${kind} address, which may lead out of your network`

/** The first range that contains an address decides. */
export const RANGES_4: readonly Range[] = [
  range(0x00000000n, 0x00000000n, UNSPECIFIED), // 0.0.0.0, RFC 1122
  range(0x00000001n, 0x00ffffffn, RESERVED), // the rest of 0.0.0.0/8, "this network", RFC 791
  range(0x0a000000n, 0x0affffffn, null), // 10.0.0.0/8, private, RFC 1918
  range(0x64400000n, 0x647fffffn, null), // 100.64.0.0/10, carrier-grade NAT, RFC 6598
  range(0x7f000000n, 0x7fffffffn, null), // 127.0.0.0/8, loopback, RFC 1122
  range(0xa9fe0000n, 0xa9feffffn, null), // 169.254.0.0/16, link-local, RFC 3927
  range(0xac100000n, 0xac1fffffn, null), // 172.16.0.0/12, private, RFC 1918
  range(0xc0000000n, 0xc00000ffn, RESERVED), // 192.0.0.0/24, protocol assignments, RFC 6890
  range(0xc0000200n, 0xc00002ffn, DOCUMENTATION), // 192.0.2.0/24, RFC 5737
  range(0xc0a80000n, 0xc0a8ffffn, null), // 192.168.0.0/16, private, RFC 1918
  range(0xc6120000n, 0xc613ffffn, BENCHMARKS), // 198.18.0.0/15, RFC 2544
  range(0xc6336400n, 0xc63364ffn, DOCUMENTATION), // 198.51.100.0/24, RFC 5737
  range(0xcb007100n, 0xcb0071ffn, DOCUMENTATION), // 203.0.113.0/24, RFC 5737
  range(0xe0000000n, 0xefffffffn, MULTICAST), // 224.0.0.0/4, RFC 5771
  range(0xffffffffn, 0xffffffffn, 'the broadcast address'), // 255.255.255.255, RFC 919
  range(0xf0000000n, 0xfffffffen, RESERVED), // the rest of 240.0.0.0/4, RFC 1112
  range(0x00000000n, 0xffffffffn, PUBLIC),
]

/** The same for IPv6, without addresses that embed an IPv4 address. */
export const RANGES_6: readonly Range[] = [
  block(0x0n, 128, UNSPECIFIED), // ::, RFC 4291
  block(0x1n, 128, null), // ::1, loopback, RFC 4291
  block(at('fc00'), 7, null), // fc00::/7, unique-local, RFC 4193
  block(at('fe80'), 10, null), // fe80::/10, link-local, RFC 4291
  block(at('ff00'), 8, MULTICAST), // ff00::/8, RFC 4291
  block(at('2001 0db8'), 32, DOCUMENTATION), // 2001:db8::/32, RFC 3849
  block(at('3fff'), 20, DOCUMENTATION), // 3fff::/20, RFC 9637
  block(at('2001 0002 0000'), 48, BENCHMARKS), // 2001:2::/48, RFC 5180
  block(at('2001 0000'), 32, leadsOut('Teredo')), // 2001::/32, RFC 4380: the IPv4 address in it is a relay's
  block(at('2002'), 16, leadsOut('6to4')), // 2002::/16, RFC 3056: relays carry it over the internet
  block(at('2000'), 3, PUBLIC), // 2000::/3, global unicast, RFC 4291
  block(at('0064 ff9b 0000 0000 0000 0000'), 96, leadsOut('NAT64')), // 64:ff9b::/96, RFC 6052: a translator's choice
  block(at('0064 ff9b 0001'), 48, leadsOut('NAT64')), // 64:ff9b:1::/48, RFC 8215
  block(at('0100'), 64, RESERVED), // 100::/64, discard, RFC 6666
  block(at('5f00'), 16, RESERVED), // 5f00::/16, segment routing, RFC 9602
  block(at('fec0'), 10, RESERVED), // fec0::/10, formerly site-local, RFC 3879
  block(0n, 0, RESERVED),
]

/** The first addresses of IPv6 blocks of 96 bits that end in an IPv4 address. */
export const EMBEDDINGS: readonly bigint[] = [
  at('0000 0000 0000 0000 0000 0000'), // ::/96, compatible, RFC 4291
  at('0000 0000 0000 0000 0000 ffff'), // ::ffff:0:0/96, mapped, RFC 4291
  at('0000 0000 0000 0000 ffff 0000'), // ::ffff:0:0:0/96, translated, RFC 2765
]

/** Bits 64 to 95 of addresses that lead through a tunnel to the IPv4 address behind them, in any block. */
export const TUNNELS: readonly bigint[] = [0x0000_5efen, 0x0200_5efen] // ISATAP, RFC 5214

/** The expected verdict: null if the address is allowed, else its name in a refusal. */
export function verdictOn({ family, value }: Address): string | null {
  if (family === 4) return first(RANGES_4, value)
  const inner = first(RANGES_4, value & 0xffff_ffffn)
  if (value > 1n && EMBEDDINGS.some((one) => value >> 32n === one >> 32n)) return inner
  const outer = first(RANGES_6, value)
  return TUNNELS.includes((value >> 32n) & 0xffff_ffffn) ? (outer ?? inner) : outer
}

function first(ranges: readonly Range[], value: bigint): string | null {
  const found = ranges.find((one) => value >= one.first && value <= one.last)
  if (!found) throw new Error(`No range holds ${value}.`)
  return found.refused
}

function range(first: bigint, last: bigint, refused: string | null): Range {
  return { first, last, refused }
}

function block(first: bigint, bits: number, refused: string | null): Range {
  return range(first, first + (1n << BigInt(128 - bits)) - 1n, refused)
}

/** The number that starts with these groups of 16 bits. */
function at(groups: string): bigint {
  return BigInt(`0x${groups.replaceAll(' ', '').padEnd(32, '0')}`)
}

/** Every spelling of an address as the host of a URL. `zone` is the name of an interface. */
export function spellings({ family, value }: Address, zone = 'eth0'): string[] {
  return family === 4 ? spellings4(Number(value)) : spellings6(value, zone)
}

function spellings4(value: number): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255)
  const hex = (part: number) => `0x${part.toString(16)}`
  const octal = (part: number) => `0${part.toString(8)}`
  const dotted = `${a}.${b}.${c}.${d}`
  return [
    dotted,
    `${dotted}.`,
    String(value),
    hex(value),
    octal(value),
    `0X${value.toString(16).toUpperCase().padStart(12, '0')}`,
    [a, b, c, d].map(hex).join('.'),
    [a, b, c, d].map(octal).join('.'),
    `${a}.${value & 0xffffff}`,
    `${hex(a)}.${octal(value & 0xffffff)}`,
    `${a}.${b}.${value & 0xffff}`,
    `${octal(a)}.${b}.${hex(c)}.${octal(d)}`,
    dotted.replaceAll('.', '。'),
    dotted.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    dotted.replace(/\d/g, (digit) => `%3${digit}`),
  ]
}

function spellings6(value: bigint, zone: string): string[] {
  const groups = Array.from({ length: 8 }, (_, at) => Number((value >> BigInt(112 - 16 * at)) & 0xffffn))
  const short = groups.map((group) => group.toString(16))
  const [high = 0, low = 0] = groups.slice(6)
  const dotted = [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const compressed = compress(short)
  const all = [
    compressed,
    compressed.toUpperCase(),
    short.join(':'),
    groups.map((group) => group.toString(16).padStart(4, '0')).join(':'),
    `${short.slice(0, 6).join(':')}:${dotted}`,
    embedded(short.slice(0, 6), dotted),
    `${compressed}%25${zone}`,
    `${compressed}%${zone}`,
    `${embedded(short.slice(0, 6), dotted)}%25${zone}`,
  ]
  return all.map((text) => `[${text}]`)
}

/** With `::` for the first of the longest runs of zeros (RFC 5952). */
function compress(groups: readonly string[]): string {
  const run = /(?:^| )0(?: 0)+(?= |$)/g
  const text = groups.join(' ')
  const longest = [...text.matchAll(run)].sort((one, other) => other[0].length - one[0].length)[0]
  if (!longest) return groups.join(':')
  const before = text.slice(0, longest.index).trim().replaceAll(' ', ':')
  const after = text
    .slice(longest.index + longest[0].length)
    .trim()
    .replaceAll(' ', ':')
  return `${before}::${after}`
}

function embedded(groups: readonly string[], dotted: string): string {
  const head = compress(groups)
  return head.endsWith('::') ? head + dotted : `${head}:${dotted}`
}
