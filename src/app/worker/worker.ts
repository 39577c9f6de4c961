import { StoryError } from '../../domain/errors.ts'
import type { FileHost, FromWorker, JobName, ToWorker } from './worker-job.ts'

declare const self: Worker

let permission = Promise.withResolvers<void>()
let demand = Promise.withResolvers<void>()

const host: FileHost = {
  mayWrite: () => {
    permission = Promise.withResolvers()
    self.postMessage({ kind: 'may write' } satisfies FromWorker)
    return permission.promise
  },
  report: (progress) => self.postMessage({ kind: 'progress', progress } satisfies FromWorker),
  send: (chunk) => {
    demand = Promise.withResolvers()
    self.postMessage({ kind: 'chunk', chunk } satisfies FromWorker, [chunk.buffer])
    return demand.promise
  },
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'write') return permission.resolve()
  if (data.kind === 'more') return demand.resolve()
  self.postMessage(await outcomeOf(data.name, data.given))
}

async function outcomeOf(name: JobName, given: unknown): Promise<FromWorker> {
  try {
    return { kind: 'done', result: await run(name, given as never) }
  } catch (error) {
    if (error instanceof StoryError) return { kind: 'refused', code: error.code, sentence: error.message }
    return { kind: 'failed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

// Loading the modules of all jobs takes longer than exporting a story of ordinary length, or checking a library of one.
async function run(name: JobName, given: never): Promise<unknown> {
  if (name === 'export') return (await import('./export-job.ts')).exportFile(given, host)
  if (name === 'open library') return (await import('./check-jobs.ts')).openOnce(given)
  if (name === 'check library') return (await import('./check-jobs.ts')).checkLibrary(given)
  if (name === 'copy story') return (await import('./copy-story-job.ts')).copyStory(given, host)
  return (await import('./jobs.ts')).JOBS[name](given, host)
}
