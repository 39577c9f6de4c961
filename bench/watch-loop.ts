import { existsSync, readFileSync } from 'node:fs'

/** Measures the longest delay of the event loop, without time spent waiting for a processor, until it is called. */
export function watchLoop(): () => Promise<number> {
  let worst = 0
  let [last, waited] = [performance.now(), waitedForProcessor()]
  const timer = setInterval(() => {
    const [now, waiting] = [performance.now(), waitedForProcessor()]
    worst = Math.max(worst, now - last - 1 - (waiting - waited))
    last = now
    waited = waiting
  }, 1)
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    clearInterval(timer)
    return worst
  }
}

/** Milliseconds that this thread waited for a processor; 0 where that is unknown. */
function waitedForProcessor(): number {
  const file = '/proc/thread-self/schedstat'
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6 : 0
}
