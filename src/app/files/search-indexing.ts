import type { Library } from '../../db/library.ts'
import { printError } from '../../lib/print.ts'
import { runInWorker } from '../worker/run-in-worker.ts'
import type { JobProgress } from '../worker/worker-job.ts'

interface Service {
  library: Library
  closing: AbortSignal
}

/** Adds to the search index what a long import or another program has written, while the service is used. */
export class SearchIndexing {
  /** Null when nothing is missing. */
  progress: JobProgress | null = null
  private running: Promise<void> | null = null
  /** Rows that nobody has begun to index. */
  private due = 0

  /** Indexes what is missing, given how many rows that is. A failure is logged: the next start tries again. */
  start({ library, closing }: Service, rows: number): void {
    library.unindexed = Math.max(library.unindexed, rows)
    if (rows === 0 || closing.aborted) return
    this.due += rows
    this.running ??= this.run({ library, closing })
  }

  /** Resolves when nothing is being indexed. */
  async ended(): Promise<void> {
    await this.running
  }

  private async run({ library, closing }: Service): Promise<void> {
    using _ = library.shareWrites()
    try {
      while (this.due > 0) {
        this.progress = { done: 0, total: this.due }
        this.due = 0
        await runInWorker('index', { path: library.path }, closing, (progress) => {
          this.progress = progress
        })
      }
      library.unindexed = 0
    } catch (error) {
      if (!closing.aborted) printError('The search index could not be built', error)
    } finally {
      this.progress = null
      this.due = 0
      this.running = null
    }
  }
}
