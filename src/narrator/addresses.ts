import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { CLASSES, EMBEDDING, INSIDE, OUTSIDE } from './policy/networks.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

const inside = Object.values(INSIDE)
  .flat()
  .map((cidr) => ipaddr.parseCIDR(cidr))
const outside = OUTSIDE.map(({ cidr, name }) => ({ cidr: ipaddr.parseCIDR(cidr), name }))
const embedding = EMBEDDING.map(({ cidr, from }) => ({ cidr: ipaddr.parseCIDR(cidr), from }))

/** What is wrong with an address: in which class it lies, and the address that decided. */
export interface Outside {
  address: string
  name: string
}

/** Why stories may not go to an address, or null when they may (specification 7.1). A zone is left out of account. */
export function outsideOf(text: string): Outside | null {
  if (isIP(text) === 0) return { address: text, name: 'not an address' }
  const address = meant(ipaddr.parse(withoutZone(text)))
  if (inside.some((network) => holds(network, address))) return null
  const name = outside.find((network) => holds(network.cidr, address))?.name ?? 'on the public internet'
  return { address: address.toString(), name }
}

/** The class of an address to which stories may go, in words; null for any other. */
export function classOf(text: string): string | null {
  if (isIP(text) === 0) return null
  const address = meant(ipaddr.parse(withoutZone(text)))
  const found = Object.entries(INSIDE).find(([, cidrs]) =>
    cidrs.some((cidr) => holds(ipaddr.parseCIDR(cidr), address)),
  )
  return found ? CLASSES[found[0] as keyof typeof INSIDE] : null
}

/** Whether two texts write the same address, zones left out of account. */
export function isSameAddress(one: string, other: string): boolean {
  if (isIP(one) === 0 || isIP(other) === 0) return false
  return plain(one) === plain(other)
}

/** The address without the interface that may follow it, as in `fe80::1%eth0`. */
export function withoutZone(address: string): string {
  return address.replace(/%.*$/, '')
}

// A mapped or translated address reaches the IPv4 machine inside it, so that one is judged.
function meant(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6) || isFirstTwo(address)) return address
  const found = embedding.find(({ cidr }) => holds(cidr, address))
  if (!found) return address
  const at = found.from / 8
  return new ipaddr.IPv4(address.toByteArray().slice(at, at + 4))
}

// :: and ::1 lie in the block of IPv4-compatible addresses and stand for themselves.
function isFirstTwo(address: ipaddr.IPv6): boolean {
  return address.parts.every((part, at) => (at < 7 ? part === 0 : part <= 1))
}

function holds(cidr: [Address, number], address: Address): boolean {
  return cidr[0].kind() === address.kind() && address.match(cidr)
}

function plain(text: string): string {
  return ipaddr.process(withoutZone(text)).toString()
}
