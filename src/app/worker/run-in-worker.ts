import { StoryError } from '../../domain/errors.ts'
import { programUrl } from '../../lib/project.ts'
import type { FromWorker, JobName, JobProgress, ToWorker, WorkerJobs } from './worker-job.ts'

/** Settles when the worker that may write at the moment has written. */
let written: Promise<void> = Promise.resolve()

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
  const grantWrite = async () => {
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
    worker.terminate()
    // SQLite finishes its current call, which may still write.
    await ended
    endWrite()
  }
}

function left(): StoryError {
  return new StoryError('disconnected', 'The request was canceled.')
}
