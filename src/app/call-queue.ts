import { unlessAborted } from '../domain/unless-aborted.ts'

/** One model call at a time for each endpoint, first come first served: a home machine tells one story at a time. */
export class CallQueue {
  private readonly last = new Map<string, Promise<void>>()

  /** Resolves when it is this call's turn; dispose the result when the call has ended. Rejects when `signal` aborts. */
  async enter(endpoint: string, signal: AbortSignal): Promise<Disposable> {
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
    return { [Symbol.dispose]: end }
  }
}
