import type { Library } from '../../db/database.ts'
import { printError } from '../../lib/print.ts'
import { runInWorker } from '../worker/run-in-worker.ts'
import type { JobProgress } from '../worker/worker-job.ts'

/** Builds the search index of a library that another program has filled, while the service is used. */
export class SearchIndexing {
  /** How far it is; null when nothing is being indexed. */
  progress: JobProgress | null = null

  /** Starts it if the library has rows without an index entry. A failure is logged: the next start tries again. */
  async start(library: Library, closing: AbortSignal): Promise<void> {
    if (library.unindexed === 0) return
    this.progress = { done: 0, total: library.unindexed }
    using _ = library.shareWrites()
    try {
      await runInWorker('index', { path: library.path }, closing, (progress) => {
        this.progress = progress
      })
    } catch (error) {
      if (!closing.aborted) printError('The search index could not be built', error)
    } finally {
      this.progress = null
    }
  }
}
