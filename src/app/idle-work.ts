import type { Library } from '../db/database.ts'

/** Milliseconds after a turn in which nothing is done, because the player may go on at once. */
const REST = 1_000

/** What is done while the player reads: the journal is moved into the file, because people copy the file. */
export class IdleWork {
  private timer: Timer | undefined

  constructor(private readonly library: Library) {}

  wake(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.settle(), REST)
    this.timer.unref()
  }

  // What cannot be moved now is moved after the next turn, or at the end.
  private settle(): void {
    try {
      this.library.checkpoint()
    } catch (error) {
      console.error('The journal was not moved into the library file:', error)
    }
  }

  stop(): void {
    clearTimeout(this.timer)
  }
}
