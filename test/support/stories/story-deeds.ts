import type { Deed } from './operation.ts'
import { StoryRecordings } from './recordings.ts'

/** Operations between two comparisons of the whole story. */
const BETWEEN = 16

/** All operations of a story. */
export class StoryDeeds extends StoryRecordings {
  private deeds = 0

  async do(deed: Deed): Promise<void> {
    this.deeds++
    await this[deed.kind](deed)
    await this.compare()
    if (this.deeds % BETWEEN === 0) await this.compareAll()
  }
}
