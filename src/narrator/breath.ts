import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work for one server after which others have their turn. */
const LONGEST = 10

/**
 * Gives a way to let others have their turn, for a reader that a server sends to faster than it can read: without it
 * the rest of the service would stand still for as long as there is more.
 */
export function breathing(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < LONGEST) return
    await setImmediate()
    since = performance.now()
  }
}
