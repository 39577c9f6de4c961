import type { Resolve } from './policy/policy.ts'

/** A private certificate authority, and replacements for tests. Timeouts are in seconds. */
export interface NarratorOptions {
  /** Clock of the privacy report; without it all times are in 1970. */
  now?: () => Date
  /** Milliseconds in a second of a turn's timeouts: 1,000, or fewer in tests. */
  msPerSecond?: number
  resolve?: Resolve
  /** Host names of our own server, by their aliases in addresses. */
  aliases?: ReadonlyMap<string, () => string>
  ca?: string
  /** Timeout of a DNS look-up, and again of the connection. */
  connectTimeout?: number
  retryEvery?: number
  /** Silence after a server accepts a request, before the phase becomes `waiting`. */
  acceptTimeout?: number
  listTimeout?: number
  /** Timeout of all fingerprint pages together. */
  recogniseTimeout?: number
  countTimeout?: number
  findTimeout?: number
  ports?: readonly number[]
  /** Timeout of all attempts to correct an address. */
  repairTimeout?: number
  /** True in a container, where localhost is not the player's machine. */
  isContained?: () => boolean
}
