import type { JobProgress } from '../worker/worker-job.ts'
import type { ImportChoice, ImportOutcome } from './import-choice.ts'

/** An import whose progress somebody watches. */
export interface RunningImport<Result> {
  progress: JobProgress
  /** Settles with the import. */
  result: Promise<Result>
  isOver: boolean
  choice: ImportChoice
}

/** Starts an import. Its failure is in `result`, for whoever waits for that. */
export function watchImport<Result>(
  choice: ImportChoice,
  start: (report: (progress: JobProgress) => void) => Promise<Result>,
): RunningImport<Result> {
  const running: RunningImport<Result> = {
    progress: { done: 0, total: 0 },
    result: start((progress) => {
      running.progress = progress
    }).finally(() => {
      running.isOver = true
    }),
    isOver: false,
    choice,
  }
  running.result.catch(() => {})
  return running
}

/** Finished imports whose outcome a page may still ask for. */
const MAX_KNOWN = 8

/** The imports that were started from a page, by the key of their upload. */
export class RunningImports {
  private readonly imports = new Map<string, RunningImport<ImportOutcome>>()

  find(key: string): RunningImport<ImportOutcome> | null {
    return this.imports.get(key) ?? null
  }

  keep(key: string, running: RunningImport<ImportOutcome>): void {
    this.imports.delete(key)
    this.imports.set(key, running)
    const [oldest] = this.imports.keys()
    if (this.imports.size > MAX_KNOWN && oldest !== undefined) this.imports.delete(oldest)
  }
}
