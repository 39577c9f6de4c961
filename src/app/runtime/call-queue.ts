import { unlessAborted } from '../../lib/promises.ts'

const PREEMPTED = 'Another request goes first.'

/** True if a call failed only because one of a higher rank preempted it. */
export function wasPreempted(error: unknown): boolean {
  return error instanceof Error && error.message === PREEMPTED
}

/** Purposes of a call, the least urgent first: background work, something else that the player waits for, a turn. */
const RANKS = ['background', 'request', 'turn'] as const
export type CallRank = (typeof RANKS)[number]

/** A call that may run now. Dispose of it when the call has ended. */
interface QueuedCall extends Disposable {
  /** Aborted when the call is preempted. */
  signal: AbortSignal
}

interface RankedCall {
  rank: CallRank
  abort: AbortController
}

/**
 * One model call at a time per endpoint, because a home machine can run only one. Calls of one rank are served in order of
 * arrival. Those of a lower rank are aborted, even when they have already started; those below turns also when the story changes.
 */
export class CallQueue {
  /** Resolves when the last queued call of an endpoint has ended. */
  private readonly tails = new Map<string, Promise<void>>()
  /** The calls that run or wait at an endpoint. */
  private readonly calls = new Map<string, Set<RankedCall>>()

  /** Ends the calls of an endpoint, or of all of them, that are below a rank. */
  preempt(endpoints: Iterable<string> = this.calls.keys(), below: CallRank = 'turn'): void {
    for (const endpoint of endpoints)
      for (const { rank, abort } of this.calls.get(endpoint) ?? [])
        if (isBelow(rank, below)) abort.abort(new Error(PREEMPTED))
  }

  /**
   * Resolves when the call may run. Rejects when `signal` aborts, when the call is preempted, and at once while one of a higher rank
   * runs or waits.
   */
  async enter(endpoint: string, signal: AbortSignal, rank: CallRank = 'turn'): Promise<QueuedCall> {
    const calls = this.calls.get(endpoint) ?? new Set()
    if ([...calls].some((other) => isBelow(rank, other.rank))) throw new Error(PREEMPTED)
    this.preempt([endpoint], rank)
    const call = { rank, abort: new AbortController() }
    this.calls.set(endpoint, calls.add(call))
    return this.queue(endpoint, AbortSignal.any([signal, call.abort.signal]), () => calls.delete(call))
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

function isBelow(rank: CallRank, other: CallRank): boolean {
  return RANKS.indexOf(rank) < RANKS.indexOf(other)
}
