import type { Operation } from './operation.ts'
import { StoryRecordings } from './recordings.ts'

/** Operations between two comparisons of the whole story. */
const BETWEEN = 16

/** All operations of a story. */
export class StoryRunner extends StoryRecordings {
  private done = 0

  async run(operation: Operation): Promise<void> {
    this.done++
    await this[operation.kind](operation)
    await this.compare()
    if (this.done % BETWEEN === 0) await this.compareAll()
  }
}
