import { openBeside } from '../db/beside.ts'
import { copyLibrary } from '../db/copies.ts'
import { refusing } from '../db/database.ts'
import { inWords } from '../db/refused.ts'
import { StoryError } from '../domain/errors.ts'
import type { Job, Outcome } from './beside-job.ts'
import { writeFile } from './write-file.ts'

declare const self: Worker

const NOTHING = new Uint8Array()

self.onmessage = async ({ data }: MessageEvent<Job>) => {
  const outcome = await doneOrNot(data)
  self.postMessage(outcome, outcome.kind === 'done' ? [outcome.bytes.buffer] : [])
}

async function doneOrNot(job: Job): Promise<Outcome> {
  try {
    return { kind: 'done', bytes: await done(job) }
  } catch (error) {
    if (error instanceof StoryError) return { kind: 'refused', code: error.code, sentence: error.message }
    return { kind: 'failed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

async function done(job: Job): Promise<Uint8Array<ArrayBuffer>> {
  if (job.kind === 'copy') {
    copyOrSay(job.path, job.target)
    return NOTHING
  }
  using library = openBeside(job.path)
  return await writeFile(library.reader, job.wanted, job.at)
}

function copyOrSay(path: string, target: string): void {
  try {
    refusing(() => copyLibrary(path, target))
  } catch (error) {
    if (error instanceof StoryError) throw error
    throw new StoryError('storage_failed', `The library was not copied. ${inWords(error)}`)
  }
}
