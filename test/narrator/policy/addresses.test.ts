import { describe, expect, test } from 'bun:test'
import { isSameAddress, outsideNetworkOf } from '../../../src/narrator/policy/addresses.ts'

describe('allowed addresses', () => {
  const inside = [
    ['loopback', '127.0.0.0 127.0.0.1 127.255.255.255 ::1'],
    ['private', '10.0.0.0 10.0.0.1 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255'],
    ['link-local', '169.254.0.0 169.254.10.1 169.254.255.255 fe80:: fe80::1 febf:ffff::1 fe80::1%eth0'],
    ['unique-local', 'fc00:: fd00::5 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['carrier-grade NAT', '100.64.0.0 100.64.0.1 100.127.255.255'],
    [
      'an allowed IPv4 address within IPv6',
      '::ffff:127.0.0.1 ::ffff:a00:1 ::192.168.1.1 fe80::5efe:192.168.1.1 fd00::200:5efe:10.0.0.1',
    ],
  ] as const
  for (const [name, addresses] of inside)
    test.each(addresses.split(' '))(`${name}: %s is allowed`, (address) =>
      expect(outsideNetworkOf(address)).toBeNull(),
    )

  // They are in link-local, carrier-grade NAT and unique-local ranges, and harmless on a home network.
  test.each(['169.254.169.254', '100.100.100.200', 'fd00:ec2::254'])(
    'cloud metadata addresses are in these ranges and stay allowed: %s',
    (address) => expect(outsideNetworkOf(address)).toBeNull(),
  )
})

describe('refused addresses', () => {
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
    ['on the public internet', '::ffff:8.8.8.8 ::8.8.8.8 ::ffff:0:8.8.8.8'],
    [
      'on the public internet',
      'fe80::5efe:8.8.8.8 fe80::200:5efe:8.8.8.8 fd00::5efe:8.8.8.8 fe80::5efe:808:808%eth0',
    ],
    [
      'a 6to4 address, which may lead out of your network',
      '2002:: 2002:808:808:: 2002:c0a8:101::1 2002:7f00:1::',
    ],
    [
      'a NAT64 address, which may lead out of your network',
      '64:ff9b:: 64:ff9b::808:808 64:ff9b::10.0.0.1 64:ff9b::127.0.0.1 64:ff9b:1::a00:1 64:ff9b:1:ffff::',
    ],
    ['a Teredo address, which may lead out of your network', '2001:: 2001:0:c0a8:101::1'],
    ['reserved for documentation', '192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1 3fff::1 ::ffff:192.0.2.1'],
    ['reserved for benchmarking', '198.18.0.1 198.19.255.255 2001:2::1'],
    ['a multicast address', '224.0.0.1 239.255.255.255 ff02::1'],
    ['the broadcast address', '255.255.255.255'],
    ['a reserved address', '0.0.0.1 240.0.0.1 192.0.0.1 ::2 4000:: 64:ff9b:2::'],
    ['the unspecified address, which belongs to no machine', '0.0.0.0 :: ::ffff:0.0.0.0'],
    ['not an address', 'localhost 1.2.3 0x7f.1 010.0.0.1 127.0.0.1:80 fe80::1%'],
  ] as const
  const named = new Set(['fbff::', 'fe00::', 'fec0::1'])
  for (const [name, addresses] of outside)
    test.each(addresses.split(' '))(`%s is ${name}`, (address) =>
      expect(outsideNetworkOf(address)?.name).toBe(named.has(address) ? 'a reserved address' : name),
    )

  test('an embedded address is the one named', () =>
    expect(outsideNetworkOf('::ffff:808:808')).toEqual({
      address: '8.8.8.8',
      name: 'on the public internet',
    }))
})

test('the same address in another spelling', () => {
  expect(isSameAddress('::ffff:127.0.0.1', '127.0.0.1')).toBeTrue()
  expect(isSameAddress('fe80::1%eth0', 'fe80:0::1')).toBeTrue()
  expect(isSameAddress('127.0.0.1', '127.0.0.2')).toBeFalse()
  expect(isSameAddress('', '')).toBeFalse()
})
