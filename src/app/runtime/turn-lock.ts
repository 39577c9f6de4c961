import { StoryError } from '../../domain/errors.ts'
import type { LiveStories } from './live-stories.ts'
import type { Recordings } from './recordings.ts'

/** The lock of one adventure. Take it with `using`, so that every way out frees it. */
export interface TurnLock extends Disposable {
  /** Aborted when the player stops the turn. */
  readonly stopped: AbortSignal
}

interface HeldLock {
  stop: AbortController
  freed: Promise<void>
}

/** One change at a time per adventure. There is no queue: a second change is refused. */
export class TurnLocks {
  private readonly held = new Map<number, HeldLock>()

  constructor(
    private readonly recordings: Recordings,
    private readonly live: LiveStories,
  ) {}

  /**
   * For a change of the story. Ends a recording that is under way: its passage may not be the same afterwards. Throws
   * turn_in_progress.
   */
  take(adventureId: number): TurnLock {
    const lock = this.takeForLine(adventureId)
    this.recordings.end(adventureId, 'changed')
    return lock
  }

  /** For a new line, which leaves the passages before it as they are. Throws turn_in_progress. */
  takeForLine(adventureId: number): TurnLock {
    if (this.held.has(adventureId))
      throw new StoryError(
        'turn_in_progress',
        'A turn of this story is still running. Wait until it ends, or stop it.',
      )
    this.live.forgetOutcome(adventureId)
    const stop = new AbortController()
    const { promise: freed, resolve } = Promise.withResolvers<void>()
    this.held.set(adventureId, { stop, freed })
    const free = () => {
      this.held.delete(adventureId)
      resolve()
    }
    return { stopped: stop.signal, [Symbol.dispose]: free }
  }

  isTaken(adventureId: number): boolean {
    return this.held.has(adventureId)
  }

  get isAnyTaken(): boolean {
    return this.held.size > 0
  }

  /** Tells a running turn to end with the text so far. False when none is running. */
  stop(adventureId: number): boolean {
    this.held.get(adventureId)?.stop.abort()
    return this.held.has(adventureId)
  }

  async freed(adventureId: number): Promise<void> {
    await this.held.get(adventureId)?.freed
  }

  /** Resolves when the locks that are held now are free. */
  async allFreed(): Promise<void> {
    await Promise.all([...this.held.values()].map(({ freed }) => freed))
  }
}
