import { setImmediate } from 'node:timers/promises'

/** Milliseconds. */
const MAX_BUSY = 10

/**
 * Returns a function that lets other work run once 10 ms have passed since it last did. A server that sends faster than
 * we process would otherwise block the whole service.
 */
export function yieldEvery(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < MAX_BUSY) return
    await setImmediate()
    since = performance.now()
  }
}
