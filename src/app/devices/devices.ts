import { type Static, Type } from '@sinclair/typebox'
import { StoryError } from '../../domain/errors.ts'
import { DateTime, nullable } from '../../lib/typebox.ts'

/** A device that is not allowed yet, and the code that its screen shows. */
export const WaitingDevice = Type.Object({ address: Type.String(), code: Type.String() })
type WaitingDevice = Static<typeof WaitingDevice>

/** An allowed device, and when its access ends; null for not before the listener is switched off. */
export const AllowedDevice = Type.Object({ address: Type.String(), until: nullable(DateTime) })
type AllowedDevice = Static<typeof AllowedDevice>

/** Devices that may wait at once: more than a household has, and few enough to read. */
export const MAX_WAITING = 20

/** Milliseconds after which a device that no longer asks is forgotten. Its page asks every few seconds. */
const FORGOTTEN = 60_000

/** Letters and digits that are not taken for one another. */
const CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 4

/**
 * The other devices by their addresses: which wait, and which are allowed. All of it is in memory alone, so that
 * no device is allowed after a restart.
 */
export class Devices {
  readonly #waiting = new Map<string, { code: string; asked: number }>()
  readonly #allowed = new Map<string, { until: Date | null; revoked: AbortController }>()
  readonly #now: () => Date
  readonly #code: () => string

  constructor(now: () => Date, code: () => string = randomCode) {
    this.#now = now
    this.#code = code
  }

  /** The signal that is aborted when the access of a device is revoked; null for one that is not allowed. */
  allowance(address: string): AbortSignal | null {
    this.#endAllowances()
    return this.#allowed.get(address)?.revoked.signal ?? null
  }

  /** Notes that a device asks. Returns its code, which stays the same while it keeps asking; null where too many wait. */
  wait(address: string): string | null {
    this.#forget()
    const known = this.#waiting.get(address)
    if (!known && this.#waiting.size >= MAX_WAITING) return null
    const code = known?.code ?? this.#freeCode()
    this.#waiting.set(address, { code, asked: this.#now().getTime() })
    return code
  }

  /** Allows a device whose screen shows the code. Returns whether it was still waiting with that code. */
  allow(address: string, code: string, until: Date | null): boolean {
    this.#forget()
    if (this.#waiting.get(address)?.code !== code) return false
    this.#waiting.delete(address)
    this.#allowed.set(address, { until, revoked: new AbortController() })
    return true
  }

  /** Ends the access of a device, and what it is being sent. */
  revoke(address: string): void {
    const device = this.#allowed.get(address)
    this.#allowed.delete(address)
    device?.revoked.abort(new StoryError('device_not_allowed', 'This device has no access any more.'))
  }

  /** Revokes the access of all, and forgets who waits. */
  clear(): void {
    this.#waiting.clear()
    for (const address of [...this.#allowed.keys()]) this.revoke(address)
  }

  waiting(): WaitingDevice[] {
    this.#forget()
    return [...this.#waiting].map(([address, { code }]) => ({ address, code }))
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

  // Two devices with one code could be taken for one another.
  #freeCode(): string {
    const taken = new Set([...this.#waiting.values()].map(({ code }) => code))
    for (;;) {
      const code = this.#code()
      if (!taken.has(code)) return code
    }
  }
}

function randomCode(): string {
  const numbers = crypto.getRandomValues(new Uint8Array(CODE_LENGTH))
  // 256 is a multiple of the number of characters, so each is as likely as the others.
  return [...numbers].map((number) => CHARACTERS[number % CHARACTERS.length]).join('')
}
