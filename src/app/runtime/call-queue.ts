import { unlessAborted } from '../../lib/abort.ts'

const PREEMPTED = 'A turn goes first.'

/** Whether a background call failed only because a turn preempted it. */
export function wasPreempted(error: unknown): boolean {
  return error instanceof Error && error.message === PREEMPTED
}

/** A call that may run now. Dispose of it when the call has ended. */
interface QueuedCall extends Disposable {
  /** Aborted when a turn preempts the call. */
  signal: AbortSignal
}

/**
 * One model call at a time per endpoint, because a home machine can run only one. Turns are served in order of arrival.
 * Background calls are aborted by any turn, even when they have already started, and when the story changes.
 */
export class CallQueue {
  /** Resolves when the last queued call of an endpoint has ended. */
  private readonly tails = new Map<string, Promise<void>>()
  private readonly background = new Map<string, Set<AbortController>>()
  /** Turns that run or wait at an endpoint. */
  private readonly turns = new Map<string, number>()

  /** Ends the background calls of an endpoint, or of all of them. */
  preempt(endpoints: Iterable<string> = this.background.keys()): void {
    for (const endpoint of endpoints)
      for (const call of this.background.get(endpoint) ?? []) call.abort(new Error(PREEMPTED))
  }

  /** Resolves when the call may run. Rejects when `signal` aborts. */
  async enter(endpoint: string, signal: AbortSignal): Promise<QueuedCall> {
    this.preempt([endpoint])
    this.countTurn(endpoint, 1)
    return this.queue(endpoint, signal, () => this.countTurn(endpoint, -1))
  }

  /** The same for a background call, which any turn aborts. Rejects at once while a turn runs or waits. */
  async enterBelow(endpoint: string, signal: AbortSignal): Promise<QueuedCall> {
    if ((this.turns.get(endpoint) ?? 0) > 0) throw new Error(PREEMPTED)
    const call = new AbortController()
    const calls = this.background.get(endpoint) ?? new Set()
    this.background.set(endpoint, calls.add(call))
    return this.queue(endpoint, AbortSignal.any([signal, call.signal]), () => calls.delete(call))
  }

  private countTurn(endpoint: string, change: 1 | -1): void {
    this.turns.set(endpoint, (this.turns.get(endpoint) ?? 0) + change)
  }

  /** `leave` is called when the call has ended, and when it never runs. */
  private async queue(endpoint: string, signal: AbortSignal, leave: () => void): Promise<QueuedCall> {
    const previous = this.tails.get(endpoint) ?? Promise.resolve()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const tail = previous.then(() => ended)
    this.tails.set(endpoint, tail)
    void tail.then(() => {
      if (this.tails.get(endpoint) === tail) this.tails.delete(endpoint)
    })
    const dispose = () => {
      leave()
      end()
    }
    try {
      await unlessAborted(previous, signal)
    } catch (error) {
      dispose()
      throw error
    }
    return { signal, [Symbol.dispose]: dispose }
  }
}
