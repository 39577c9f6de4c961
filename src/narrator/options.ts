import type { Resolve } from './policy/policy.ts'

/** A private certificate authority, and what tests replace. Timeouts are in seconds. */
export interface NarratorOptions {
  /** For the times in the privacy report; without it they are all 1970. */
  now?: () => Date
  /** Milliseconds in a second of a turn's timeouts: 1,000, or fewer so that tests need not wait for minutes. */
  msPerSecond?: number
  resolve?: Resolve
  /** The host names of our own server, by the names that stand for them in addresses. */
  aliases?: ReadonlyMap<string, () => string>
  /** Certificates of a private authority in PEM form, trusted in addition to the system's. */
  ca?: string
  /** For a DNS look-up, and again for the connection. */
  connectTimeout?: number
  /** Between two requests to a server that is loading. */
  retryEvery?: number
  /** How long a server that accepted a request may be silent before the phase becomes `waiting`. */
  acceptTimeout?: number
  listTimeout?: number
  /** For each page that may tell the context window. */
  windowTimeout?: number
  /** For all pages by which a server is recognised. */
  recogniseTimeout?: number
  countTimeout?: number
  /** For the search for servers on this machine. */
  findTimeout?: number
  /** The ports that the search tries. */
  ports?: readonly number[]
  /** For all tries to correct a pasted address. */
  repairTimeout?: number
  /** Whether this service runs in a container, where localhost is not the player's machine. */
  isContained?: () => boolean
}
