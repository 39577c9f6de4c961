import { writeSync } from 'node:fs'

// The process that `runLimited` starts: a worker does the work, and this thread watches its time and memory.

export interface Limits {
  seconds: number
  /** Of memory, for the whole process. */
  bytes: number
}

/** What the process is given. `parent` is the process that waits for it. */
export interface LimitedWork {
  given: unknown
  limits: Limits
  parent: number
}

/** What the process prints before it ends. */
export type LimitedOutcome =
  | { kind: 'done'; result: unknown }
  | { kind: 'refused'; sentence: string }
  | { kind: 'failed'; message: string; code: string }
  | { kind: 'limit'; limit: 'time' | 'memory' }

/** Milliseconds between two looks at the memory. */
const INTERVAL = 20

/** The command, not for people, that makes a process one of these. */
export const LIMITED_WORK = 'limited-work'

/** Does the work of a module, and ends this process. `json` is a {@link LimitedWork}. Never resolves. */
export function doLimitedWork([module = '', json = '']: readonly string[]): Promise<never> {
  const { given, limits, parent }: LimitedWork = JSON.parse(json)
  const worker = new Worker(module)
  worker.onmessage = ({ data }: MessageEvent<LimitedOutcome>) => end(data)
  worker.onerror = ({ message }) => end({ kind: 'failed', message, code: '' })
  worker.postMessage(given)
  const started = performance.now()
  setInterval(() => {
    // Nobody waits any more, and the next start uses the same folder.
    if (process.ppid !== parent) stop()
    if (process.memoryUsage.rss() > limits.bytes) end({ kind: 'limit', limit: 'memory' })
    if (performance.now() - started > limits.seconds * 1000) end({ kind: 'limit', limit: 'time' })
  }, INTERVAL)
  return new Promise(() => {})
}

function end(outcome: LimitedOutcome): void {
  const bytes = Buffer.from(JSON.stringify(outcome))
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written)
  stop()
}

// An ordinary exit would wait for the statement that the worker is running.
function stop(): void {
  process.kill(process.pid, 'SIGKILL')
}
