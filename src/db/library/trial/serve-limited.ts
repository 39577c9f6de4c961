import { LibraryRefused, sqliteCode } from '../../library-refused.ts'
import type { LimitedOutcome } from './limited-child.ts'

declare const self: Worker

/** In a worker that `runLimited` has started: does the work and sends what comes of it. */
export function serveLimited<Given>(work: (given: Given) => unknown): void {
  self.onmessage = async ({ data }: MessageEvent<Given>) => self.postMessage(await outcomeOf(work, data))
}

async function outcomeOf<Given>(work: (given: Given) => unknown, given: Given): Promise<LimitedOutcome> {
  try {
    return { kind: 'done', result: await work(given) }
  } catch (error) {
    if (error instanceof LibraryRefused) return { kind: 'refused', sentence: error.message }
    return {
      kind: 'failed',
      message: error instanceof Error ? error.message : String(error),
      code: sqliteCode(error),
    }
  }
}
