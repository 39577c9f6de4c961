import type { Step, Writer } from '../../db/database.ts'
import type { Library } from '../../db/library.ts'
import { indexForSearch, type OutdatedRow } from '../../db/search/story-index.ts'
import type { JobHost, JobProgress } from './worker-job.ts'

/** Milliseconds of one transaction: a turn that ends meanwhile waits for no more than this. */
const PIECE = 12

/**
 * Writes step by step, in transactions of a few milliseconds. A step runs before the generator is asked for the next one.
 * Returns what the generator returns.
 */
export async function writeInPieces<Result>(
  library: Library,
  steps: Generator<Step, Result>,
  host: JobHost,
  progress: JobProgress,
): Promise<Result> {
  let last: IteratorResult<Step, Result> | undefined
  while (!last?.done) {
    await host.mayWrite()
    last = library.write((tx) => runPiece(tx, steps, progress))
    host.report({ ...progress })
  }
  return last.value
}

/** Runs all steps in one transaction that has begun. Returns what the generator returns. */
export function runSteps<Result>(tx: Writer, steps: Generator<Step, Result>): Result {
  for (;;) {
    const next = steps.next()
    if (next.done) return next.value
    next.value(tx)
  }
}

export function* indexSteps(rows: Iterable<OutdatedRow>): Generator<Step, void> {
  for (const { kind, id } of rows) yield (tx) => indexForSearch(tx, kind, id)
}

function runPiece<Result>(
  tx: Writer,
  steps: Generator<Step, Result>,
  progress: JobProgress,
): IteratorResult<Step, Result> {
  const end = performance.now() + PIECE
  while (true) {
    const next = steps.next()
    if (next.done) return next
    next.value(tx)
    progress.done++
    if (performance.now() >= end) return next
  }
}
