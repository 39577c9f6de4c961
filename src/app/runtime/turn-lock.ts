import { StoryError } from '../../domain/errors.ts'

/** A claim on one adventure. Freed by `using` on every way out. */
export interface TurnLock extends Disposable {
  /** Aborted when the player stops the turn. */
  readonly stopped: AbortSignal
}

interface Claim {
  stop: AbortController
  freed: Promise<void>
}

/** One deed at a time for each adventure (specification 3; 8, "take the turn lock"). Nothing waits: the second is refused. */
export class TurnLocks {
  private readonly held = new Map<number, Claim>()

  /** Throws turn_in_progress. */
  take(adventureId: number): TurnLock {
    if (this.held.has(adventureId))
      throw new StoryError(
        'turn_in_progress',
        'A turn of this story is still running. Wait for its end, or stop it.',
      )
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

  /** Asks a running turn to end with what it has; false when none runs. */
  stop(adventureId: number): boolean {
    this.held.get(adventureId)?.stop.abort()
    return this.held.has(adventureId)
  }

  /** Resolves when the deed that is under way has ended; at once when there is none. */
  async freed(adventureId: number): Promise<void> {
    await this.held.get(adventureId)?.freed
  }

  /** Resolves when no deed is under way. */
  async allFreed(): Promise<void> {
    await Promise.all([...this.held.values()].map(({ freed }) => freed))
  }
}
