import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isSameAddress, outsideOf } from '../../src/narrator/addresses.ts'

// Written from the specification, not from the code: first address and length of each block.
const INSIDE_4: readonly [number, number][] = [
  [0x7f000000, 8],
  [0x0a000000, 8],
  [0xac100000, 12],
  [0xc0a80000, 16],
  [0xa9fe0000, 16],
  [0x64400000, 10],
]
const ALL_6 = (1n << 128n) - 1n
const INSIDE_6: readonly [bigint, number][] = [
  [1n, 128],
  [0xfe80n << 112n, 10],
  [0xfc00n << 112n, 7],
]
// First address and length of a block that stands for IPv4, and where in it that address ends.
const EMBEDDED_6: readonly [bigint, number, bigint][] = [
  [0xffffn << 32n, 96, 0n],
  [0xffffn << 48n, 96, 0n],
  [(0x64n << 112n) | (0xff9bn << 96n), 96, 0n],
  [0x2002n << 112n, 16, 80n],
  [0n, 96, 0n],
]

function isInside4(value: number): boolean {
  return INSIDE_4.some(([first, bits]) => value >= first && value < first + 2 ** (32 - bits))
}

function isInside6(value: bigint): boolean {
  const starts = (first: bigint, bits: number) => value >> BigInt(128 - bits) === first >> BigInt(128 - bits)
  if (INSIDE_6.some(([first, bits]) => starts(first, bits))) return true
  const shift = EMBEDDED_6.find(([first, bits]) => starts(first, bits))?.[2]
  return shift !== undefined && isInside4(Number((value >> shift) & 0xffff_ffffn))
}

function dotted(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
}

function colons(value: bigint): string {
  const all = value.toString(16).padStart(32, '0')
  return (all.match(/.{4}/g) ?? []).join(':')
}

describe('where stories may go', () => {
  const inside = [
    ['loopback', '127.0.0.0 127.0.0.1 127.255.255.255 ::1'],
    ['private', '10.0.0.0 10.0.0.1 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255'],
    ['link-local', '169.254.0.0 169.254.10.1 169.254.255.255 fe80:: fe80::1 febf:ffff::1 fe80::1%eth0'],
    ['unique-local', 'fc00:: fd00::5 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['carrier-grade NAT', '100.64.0.0 100.64.0.1 100.127.255.255'],
    [
      'an inside IPv4 address within IPv6',
      '::ffff:127.0.0.1 ::ffff:a00:1 64:ff9b::10.0.0.1 2002:c0a8:101:: ::192.168.1.1',
    ],
  ] as const
  for (const [name, addresses] of inside)
    test.each(addresses.split(' '))(`${name}: %s is inside`, (address) =>
      expect(outsideOf(address)).toBeNull(),
    )

  // They lie in link-local, carrier-grade NAT and unique-local space, and are harmless in a home.
  test.each(['169.254.169.254', '100.100.100.200', 'fd00:ec2::254'])(
    'cloud metadata addresses are inside and stay allowed: %s',
    (address) => expect(outsideOf(address)).toBeNull(),
  )
})

describe('where stories may not go', () => {
  const outside = [
    [
      'on the public internet',
      '8.8.8.8 9.255.255.255 11.0.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0',
    ],
    [
      'on the public internet',
      '100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0',
    ],
    ['on the public internet', '2606:4700::1111 2000:: 3ffe::1 fbff:: fe00:: fec0::1'],
    ['on the public internet', '::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808:: ::8.8.8.8 ::ffff:0:8.8.8.8'],
    ['reserved for documentation', '192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1 3fff::1 ::ffff:192.0.2.1'],
    ['reserved for benchmarks', '198.18.0.1 198.19.255.255 2001:2::1'],
    ['a multicast address', '224.0.0.1 239.255.255.255 ff02::1'],
    ['the broadcast address', '255.255.255.255'],
    ['a reserved address', '0.0.0.1 240.0.0.1 192.0.0.1 ::2 4000:: 64:ff9b:1::a00:1'],
    ['the unspecified address, which names no machine', '0.0.0.0 :: ::ffff:0.0.0.0 64:ff9b::'],
    ['not an address', 'localhost 1.2.3 0x7f.1 010.0.0.1 127.0.0.1:80 fe80::1%'],
  ] as const
  const named = new Set(['fbff::', 'fe00::', 'fec0::1'])
  for (const [name, addresses] of outside)
    test.each(addresses.split(' '))(`%s is outside: ${name}`, (address) =>
      expect(outsideOf(address)?.name).toBe(named.has(address) ? 'a reserved address' : name),
    )

  test('an embedded address is named itself', () =>
    expect(outsideOf('64:ff9b::808:808')).toEqual({ address: '8.8.8.8', name: 'on the public internet' }))
})

describe('against an independent table of bits', () => {
  const corners4 = INSIDE_4.flatMap(([first, bits]) => {
    const last = first + 2 ** (32 - bits) - 1
    return [first - 1, first, last, last + 1]
  })
  const anyIPv4 = fc.oneof(fc.nat(2 ** 32 - 1), fc.constantFrom(...corners4))

  test('IPv4', () =>
    fc.assert(
      fc.property(anyIPv4, (value) => (outsideOf(dotted(value)) === null) === isInside4(value)),
      { numRuns: 20_000 },
    ))

  const prefixes = [...INSIDE_6, ...EMBEDDED_6].map(([first, bits]) => ({ first, bits: BigInt(bits) }))
  const anyNumber = fc.bigInt(0n, ALL_6)
  const nearPrefix = fc
    .tuple(fc.constantFrom(...prefixes), anyNumber, fc.constantFrom(-1n, 0n, 1n))
    .map(([{ first, bits }, low, by]) => {
      const width = 128n - bits
      return BigInt.asUintN(128, ((first >> width) + by) << width) | (low & ((1n << width) - 1n))
    })
  const mapped = fc
    .tuple(fc.constantFrom(...EMBEDDED_6), anyIPv4)
    .map(([[first, , shift], inner]) => first | (BigInt(inner) << shift))

  test('IPv6', () =>
    fc.assert(
      fc.property(
        fc.oneof(anyNumber, nearPrefix, mapped),
        (value) => (outsideOf(colons(value)) === null) === isInside6(value),
      ),
      { numRuns: 20_000 },
    ))
})

test('the same address is known in another spelling', () => {
  expect(isSameAddress('::ffff:127.0.0.1', '127.0.0.1')).toBeTrue()
  expect(isSameAddress('fe80::1%eth0', 'fe80:0::1')).toBeTrue()
  expect(isSameAddress('127.0.0.1', '127.0.0.2')).toBeFalse()
  expect(isSameAddress('', '')).toBeFalse()
})
