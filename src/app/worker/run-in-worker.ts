import { StoryError } from '../../domain/errors.ts'
import { programUrl } from '../../lib/project.ts'
import type { FromWorker, JobName, JobProgress, ToWorker, WorkerJobs } from './worker-job.ts'

/** Settles when the worker that may write at the moment has written. */
let written: Promise<void> = Promise.resolve()
/** Settles when the jobs that a player waits for have ended. The search index is written after them. */
let awaited: Promise<void> = Promise.resolve()

const AWAITED: ReadonlySet<JobName> = new Set(['import', 'copy story'])

/**
 * Runs a long job in a worker and returns its result. The worker writes only while neither this thread nor another worker does. It has ended when
 * the promise settles, also after an abort. It makes the next chunk of a file when `onChunk` has resolved. Throws what the
 * job throws, and disconnected on abort.
 */
export async function runInWorker<Name extends JobName>(
  name: Name,
  given: WorkerJobs[Name]['given'],
  signal: AbortSignal,
  onProgress: (progress: JobProgress) => void = () => {},
  onChunk: (chunk: Uint8Array<ArrayBuffer>) => Promise<void> = async () => {},
): Promise<WorkerJobs[Name]['result']> {
  if (signal.aborted) throw left()
  const worker = new Worker(programUrl('app/worker/worker').href)
  const send = (message: ToWorker) => worker.postMessage(message)
  const ended = new Promise((resolve) => worker.addEventListener('close', resolve))
  let endWrite = () => {}
  let hasEnded = false
  if (AWAITED.has(name)) awaited = both(awaited, ended)
  const grantWrite = async () => {
    if (name === 'index') await settled(() => awaited)
    if (hasEnded) return
    const earlier = written
    const mine = Promise.withResolvers<void>()
    written = mine.promise
    endWrite = mine.resolve
    await earlier
    send({ kind: 'write' })
  }
  const outcome = Promise.withResolvers<WorkerJobs[Name]['result']>()
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    endWrite()
    if (data.kind === 'may write') void grantWrite()
    else if (data.kind === 'progress') onProgress(data.progress)
    else if (data.kind === 'chunk') void onChunk(data.chunk).then(() => send({ kind: 'more' }))
    else if (data.kind === 'done') outcome.resolve(data.result as WorkerJobs[Name]['result'])
    else if (data.kind === 'refused') outcome.reject(new StoryError(data.code, data.sentence))
    else outcome.reject(new Error(data.detail))
  }
  worker.onerror = ({ message }) => outcome.reject(new Error(message))
  signal.addEventListener('abort', () => outcome.reject(left()), { once: true })
  try {
    send({ kind: 'job', name, given })
    return await outcome.promise
  } finally {
    hasEnded = true
    worker.terminate()
    // SQLite finishes its current call, which may still write.
    await ended
    endWrite()
  }
}

async function both(one: Promise<unknown>, other: Promise<unknown>): Promise<void> {
  await one
  await other
}

/** Resolves when a promise has settled, and none has taken its place meanwhile. */
async function settled(current: () => Promise<void>): Promise<void> {
  for (let last: Promise<void> | null = null; last !== current(); await last) last = current()
}

function left(): StoryError {
  return new StoryError('disconnected', 'The request was canceled.')
}
