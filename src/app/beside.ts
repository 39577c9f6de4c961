import { StoryError } from '../domain/errors.ts'
import type { Job, Outcome } from './beside-job.ts'

/**
 * Does something long beside the service and gives what it made; nothing else waits for it. The thread has ended when this
 * settles, also when the signal is aborted. Throws what the job throws, and disconnected at the signal.
 */
export async function beside(job: Job, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  if (signal.aborted) throw left()
  const worker = new Worker(new URL('./beside-worker.ts', import.meta.url).href)
  const ended = new Promise((resolve) => worker.addEventListener('close', resolve))
  try {
    return result(
      await new Promise<Outcome>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<Outcome>) => resolve(data)
        worker.onerror = ({ message }) => reject(new Error(message))
        signal.addEventListener('abort', () => reject(left()), { once: true })
        worker.postMessage(job)
      }),
    )
  } finally {
    worker.terminate()
    // What SQLite is in the middle of goes on until it is done, and may still write.
    await ended
  }
}

function left(): StoryError {
  return new StoryError('disconnected', 'Nobody waits for it any more.')
}

function result(outcome: Outcome): Uint8Array<ArrayBuffer> {
  if (outcome.kind === 'done') return outcome.bytes
  if (outcome.kind === 'refused') throw new StoryError(outcome.code, outcome.sentence)
  throw new Error(outcome.detail)
}
