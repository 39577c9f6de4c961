import { classOf } from './addresses.ts'
import type { Connection } from './connections.ts'
import type { Wire } from './wire.ts'

/** Where stories can go, and what went out. */
export interface Whereabouts {
  /** When the name was looked up last, and what it means; null when it was not since the start, or was refused. */
  checked: { at: Date; addresses: { address: string; class: string }[] } | null
  /** Every request since the start, the newest first. */
  sent: (Connection & { class: string })[]
}

/** What is known of an address without asking anybody. */
export function whereabouts(wire: Wire, url: string): Whereabouts {
  const check = wire.lastCheck(url)
  const withClass = <T extends { address: string }>(one: T) => ({ ...one, class: classOf(one.address) ?? '' })
  return {
    checked: check && {
      at: check.at,
      addresses: check.addresses.map((address) => withClass({ address })),
    },
    sent: wire.sent().map(withClass),
  }
}
