import type { Library } from '../../db/library.ts'
import { LibraryRefused } from '../../db/library-refused.ts'
import { runInWorker } from '../worker/run-in-worker.ts'

/** Milliseconds between two tests whether another program has closed the library file, and the longest wait for that. */
const INTERVAL = 100
const PATIENCE = 5_000

/**
 * The check of a library that is already served for reading (docs/rules.md 13.14). Nothing is written to it until it was
 * found sound, and until what a crash or another program has left was put right.
 */
export class LibraryCheck {
  private readonly over = Promise.withResolvers<void>()

  constructor(
    private readonly library: Library,
    private readonly patience = PATIENCE,
  ) {
    if (library.isWritable) this.over.resolve()
  }

  /** Resolves when the check has ended. Await it before writing, and before another connection is opened. */
  ended(): Promise<void> {
    return this.over.promise
  }

  /**
   * Checks the library and opens it for writing. Returns how many rows the search index lacks, and 0 on abort. Throws
   * LibraryRefused.
   */
  async run(closing: AbortSignal): Promise<number> {
    const { library } = this
    const { path } = library
    try {
      const refused = await runInWorker('check library', { path, isServed: true }, closing)
      if (refused !== null) {
        library.distrust()
        throw new LibraryRefused(refused)
      }
      await this.takeOver(closing)
      const unindexed = await runInWorker('repair library', { path }, closing)
      library.allowWrites(unindexed)
      return unindexed
    } catch (error) {
      if (closing.aborted) return 0
      throw error
    } finally {
      this.over.resolve()
    }
  }

  private async takeOver(closing: AbortSignal): Promise<void> {
    for (let waited = 0; !this.library.takeOver(); waited += INTERVAL) {
      if (waited >= this.patience)
        throw new LibraryRefused(
          `${this.library.path} was not opened. Another program is using it. Close that program, then try again.`,
        )
      await Bun.sleep(INTERVAL)
      closing.throwIfAborted()
    }
  }
}
