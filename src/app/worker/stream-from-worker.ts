import { runInWorker } from './run-in-worker.ts'
import type { WorkerJobs } from './worker-job.ts'

/** Chunks that wait for the client. The worker makes no more until one of them is read. */
const CHUNKS_AHEAD = 2

/**
 * Exports a file in a worker, and streams it while it is made. Canceling the stream ends the job. Throws what the
 * job throws before its first chunk, and disconnected on abort; later failures break the stream off.
 */
export async function streamFromWorker(
  given: WorkerJobs['export']['given'],
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const canceled = new AbortController()
  const begun = Promise.withResolvers<void>()
  let resume = () => {}
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const onChunk = (chunk: Uint8Array) => {
          begun.resolve()
          if (!canceled.signal.aborted) controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) > 0) return Promise.resolve()
          return new Promise<void>((resolve) => {
            resume = resolve
          })
        }
        const running = runInWorker(
          'export',
          given,
          AbortSignal.any([signal, canceled.signal]),
          () => {},
          onChunk,
        )
        running.then(
          () => {
            begun.resolve()
            if (!canceled.signal.aborted) controller.close()
          },
          (error) => {
            begun.reject(error)
            controller.error(error)
          },
        )
      },
      pull: () => resume(),
      cancel: () => canceled.abort(),
    },
    { highWaterMark: CHUNKS_AHEAD },
  )
  await begun.promise
  return body
}
