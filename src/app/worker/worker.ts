import { StoryError } from '../../domain/errors.ts'
import { JOBS } from './jobs.ts'
import type { FromWorker, JobHost, JobName, ToWorker } from './worker-job.ts'

declare const self: Worker

let permission = Promise.withResolvers<void>()

const host: JobHost = {
  mayWrite: () => {
    permission = Promise.withResolvers()
    self.postMessage({ kind: 'may write' } satisfies FromWorker)
    return permission.promise
  },
  report: (progress) => self.postMessage({ kind: 'progress', progress } satisfies FromWorker),
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'write') return permission.resolve()
  const outcome = await outcomeOf(data.name, data.given)
  const isFile = outcome.kind === 'done' && outcome.result instanceof Uint8Array
  self.postMessage(outcome, isFile ? [(outcome.result as Uint8Array<ArrayBuffer>).buffer] : [])
}

async function outcomeOf(name: JobName, given: unknown): Promise<FromWorker> {
  try {
    return { kind: 'done', result: await JOBS[name](given as never, host) }
  } catch (error) {
    if (error instanceof StoryError) return { kind: 'refused', code: error.code, sentence: error.message }
    return { kind: 'failed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
