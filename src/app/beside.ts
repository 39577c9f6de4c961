import { StoryError } from '../domain/errors.ts'
import type { Job, Outcome } from './beside-job.ts'

/**
 * Does something long beside the service and gives what it made; nothing else waits for it. The thread ends with it, and
 * when the signal is aborted. Throws what the job throws, and the reason of the signal.
 */
export async function beside(job: Job, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./beside-worker.ts', import.meta.url).href)
  const ended = new Promise((resolve) => worker.addEventListener('close', resolve))
  try {
    return result(
      await new Promise<Outcome>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<Outcome>) => resolve(data)
        worker.onerror = ({ message }) => reject(new Error(message))
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        worker.postMessage(job)
      }),
    )
  } finally {
    // It ends between two steps, and until then it holds the library and what it writes.
    worker.terminate()
    await ended
  }
}

function result(outcome: Outcome): Uint8Array<ArrayBuffer> {
  if (outcome.kind === 'done') return outcome.bytes
  if (outcome.kind === 'refused') throw new StoryError(outcome.code, outcome.sentence)
  throw new Error(outcome.detail)
}
