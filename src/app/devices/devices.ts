import { type Static, Type } from '@sinclair/typebox'
import { DateTime, nullable } from '../../lib/typebox.ts'

/** A device that is not allowed yet, and the word that its screen shows. */
export const WaitingDevice = Type.Object({ address: Type.String(), word: Type.String() })
type WaitingDevice = Static<typeof WaitingDevice>

/** An allowed device, and when its access ends; null for not before the listener is switched off. */
export const AllowedDevice = Type.Object({ address: Type.String(), until: nullable(DateTime) })
type AllowedDevice = Static<typeof AllowedDevice>

/** Devices that may wait at once: more than a household has, and few enough to read. */
export const MAX_WAITING = 20

/** Milliseconds after which a device that no longer asks is forgotten. Its page asks every few seconds. */
const FORGOTTEN = 60_000

/** Letters and digits that are not taken for one another. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const WORD_LENGTH = 4

/**
 * The other devices by their addresses: which wait, and which are allowed. All of it is in memory alone, so that
 * no device is allowed after a restart.
 */
export class Devices {
  readonly #waiting = new Map<string, { word: string; asked: number }>()
  readonly #allowed = new Map<string, { until: Date | null; revoked: AbortController }>()
  readonly #now: () => Date
  readonly #word: () => string

  constructor(now: () => Date, word: () => string = randomWord) {
    this.#now = now
    this.#word = word
  }

  /** The signal that is aborted when the access of a device is revoked; null for one that is not allowed. */
  allowance(address: string): AbortSignal | null {
    this.#endAllowances()
    return this.#allowed.get(address)?.revoked.signal ?? null
  }

  /** Notes that a device asks. Returns its word, which stays the same while it keeps asking; null where too many wait. */
  wait(address: string): string | null {
    this.#forget()
    const known = this.#waiting.get(address)
    if (!known && this.#waiting.size >= MAX_WAITING) return null
    const word = known?.word ?? this.#freeWord()
    this.#waiting.set(address, { word, asked: this.#now().getTime() })
    return word
  }

  /** Allows a device whose screen shows the word. Returns whether it was still waiting with that word. */
  allow(address: string, word: string, until: Date | null): boolean {
    this.#forget()
    if (this.#waiting.get(address)?.word !== word) return false
    this.#waiting.delete(address)
    this.#allowed.set(address, { until, revoked: new AbortController() })
    return true
  }

  /** Ends what a device is being sent, and lets it in no more. */
  revoke(address: string): void {
    const device = this.#allowed.get(address)
    this.#allowed.delete(address)
    device?.revoked.abort()
  }

  /** Revokes the access of all, and forgets who waits. */
  clear(): void {
    this.#waiting.clear()
    for (const address of [...this.#allowed.keys()]) this.revoke(address)
  }

  waiting(): WaitingDevice[] {
    this.#forget()
    return [...this.#waiting].map(([address, { word }]) => ({ address, word }))
  }

  allowed(): AllowedDevice[] {
    this.#endAllowances()
    return [...this.#allowed].map(([address, { until }]) => ({ address, until }))
  }

  #forget(): void {
    const oldest = this.#now().getTime() - FORGOTTEN
    for (const [address, { asked }] of this.#waiting) if (asked < oldest) this.#waiting.delete(address)
  }

  #endAllowances(): void {
    const now = this.#now()
    for (const [address, { until }] of this.#allowed) if (until !== null && until <= now) this.revoke(address)
  }

  // Two devices with one word could be taken for one another.
  #freeWord(): string {
    const taken = new Set([...this.#waiting.values()].map(({ word }) => word))
    for (;;) {
      const word = this.#word()
      if (!taken.has(word)) return word
    }
  }
}

function randomWord(): string {
  const numbers = crypto.getRandomValues(new Uint8Array(WORD_LENGTH))
  // 256 is a multiple of the number of signs, so each is as likely as the others.
  return [...numbers].map((number) => SIGNS[number % SIGNS.length]).join('')
}
