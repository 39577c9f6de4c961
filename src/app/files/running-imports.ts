import type { Imported } from './import-choice.ts'
import type { JobProgress } from './worker-job.ts'

/** An import that a page watches. */
export interface RunningImport {
  progress: JobProgress
  /** Settles with the import. */
  result: Promise<Imported>
  isOver: boolean
}

/** Finished imports whose outcome a page may still ask for. */
const MAX_KNOWN = 8

/** The imports that were started from a page, by the key of their upload. */
export class RunningImports {
  private readonly imports = new Map<string, RunningImport>()

  find(key: string): RunningImport | null {
    return this.imports.get(key) ?? null
  }

  start(key: string, work: (report: (progress: JobProgress) => void) => Promise<Imported>): RunningImport {
    const running: RunningImport = {
      progress: { done: 0, total: 0 },
      result: work((progress) => {
        running.progress = progress
      }).finally(() => {
        running.isOver = true
      }),
      isOver: false,
    }
    // Whoever waits for the result hears of a failure; perhaps nobody does.
    running.result.catch(() => {})
    this.imports.delete(key)
    this.imports.set(key, running)
    const [oldest] = this.imports.keys()
    if (this.imports.size > MAX_KNOWN && oldest !== undefined) this.imports.delete(oldest)
    return running
  }
}
