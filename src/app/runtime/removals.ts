import type { Library } from '../../db/library.ts'
import { printError } from '../../lib/print.ts'
import { runInWorker } from '../worker/run-in-worker.ts'

interface Service {
  library: Library
  closing: AbortSignal
}

/** Removes deleted long stories, which are hidden, from the library in one worker. */
export class Removals {
  private readonly due = new Set<number>()
  private running: Promise<void> | null = null

  add(adventures: readonly number[]): void {
    for (const id of adventures) this.due.add(id)
  }

  /** Resolves when nothing is being removed. A failure is logged: idle time and the next start try again. */
  async run(service: Service): Promise<void> {
    if (this.due.size > 0) this.running ??= this.removeAll(service)
    await this.running
  }

  private async removeAll({ library, closing }: Service): Promise<void> {
    using _ = library.shareWrites()
    try {
      while (this.due.size > 0) {
        const adventures = [...this.due]
        await runInWorker('delete stories', { path: library.path, adventures }, closing)
        for (const id of adventures) this.due.delete(id)
      }
    } catch (error) {
      if (!closing.aborted) printError('Deleted stories could not be removed completely', error)
    } finally {
      this.running = null
    }
  }
}
