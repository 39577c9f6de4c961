import { unlessAborted } from '../lib/abort.ts'

const PASSED = 'A turn goes first.'

/** Whether a call in the background was broken off only because a turn came. */
export function isPassed(error: unknown): boolean {
  return error instanceof Error && error.message === PASSED
}

/** A call that may run. Dispose it when the call has ended. */
export interface Turn extends Disposable {
  /** Aborted when something that goes first comes. */
  signal: AbortSignal
}

/**
 * One model call at a time for each endpoint: a home machine tells one story at a time. Turns come first come first
 * served; what is done in the background lets every turn pass, also when it has begun.
 */
export class CallQueue {
  private readonly last = new Map<string, Promise<void>>()
  private readonly below = new Map<string, Set<AbortController>>()

  /** Resolves when it is this call's turn. Rejects when `signal` aborts. */
  async enter(endpoint: string, signal: AbortSignal): Promise<Turn> {
    for (const call of this.below.get(endpoint) ?? []) call.abort(new Error(PASSED))
    return this.queue(endpoint, signal)
  }

  /** The same for a call in the background: any turn aborts it. */
  async enterBelow(endpoint: string, signal: AbortSignal): Promise<Turn> {
    const call = new AbortController()
    const calls = this.below.get(endpoint) ?? new Set()
    this.below.set(endpoint, calls.add(call))
    const leave = () => void calls.delete(call)
    try {
      const turn = await this.queue(endpoint, AbortSignal.any([signal, call.signal]))
      return {
        signal: turn.signal,
        [Symbol.dispose]: () => {
          leave()
          turn[Symbol.dispose]()
        },
      }
    } catch (error) {
      leave()
      throw error
    }
  }

  private async queue(endpoint: string, signal: AbortSignal): Promise<Turn> {
    const before = this.last.get(endpoint) ?? Promise.resolve()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const tail = before.then(() => ended)
    this.last.set(endpoint, tail)
    void tail.then(() => {
      if (this.last.get(endpoint) === tail) this.last.delete(endpoint)
    })
    try {
      await unlessAborted(before, signal)
    } catch (error) {
      end()
      throw error
    }
    return { signal, [Symbol.dispose]: end }
  }
}
