export type EarlyEnd = 'stopped' | 'changed'

/** Tells a recording to end early. */
export interface Early {
  /** Aborts with an {@link EarlyEnd}. */
  readonly signal: AbortSignal
  /** The story was changed, perhaps after the signal: what was asked for must not be written any more. */
  readonly isChanged: boolean
}

interface RunningRecording {
  end: AbortController
  isChanged: boolean
  ended: Promise<void>
}

/**
 * The recordings under way: turns whose text is stored and whose stat changes are still being asked for (docs/rules.md
 * 4.12). At most one for each story; it holds no lock.
 */
export class Recordings {
  private readonly running = new Map<number, RunningRecording>()

  start(adventureId: number, record: (early: Early) => Promise<void>): Promise<void> {
    const end = new AbortController()
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const recording = { end, ended, signal: end.signal, isChanged: false }
    this.running.set(adventureId, recording)
    void record(recording).finally(() => {
      if (this.running.get(adventureId) === recording) this.running.delete(adventureId)
      resolve()
    })
    return ended
  }

  isRunning(adventureId: number): boolean {
    return this.running.has(adventureId)
  }

  /** Ends a recording, which then changes no stat. False when none is running. */
  end(adventureId: number, why: EarlyEnd): boolean {
    const recording = this.running.get(adventureId)
    if (recording === undefined) return false
    recording.isChanged ||= why === 'changed'
    recording.end.abort(why)
    return true
  }

  /** Resolves when the story has no recording any more. */
  async ended(adventureId: number): Promise<void> {
    await this.running.get(adventureId)?.ended
  }

  async allEnded(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ ended }) => ended))
  }
}
