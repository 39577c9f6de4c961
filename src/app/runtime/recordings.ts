import { unlessAborted } from '../../lib/promises.ts'

export type EarlyEnd = 'stopped' | 'late' | 'changed'

interface RunningRecording {
  actionId: number
  early: AbortController
  ended: Promise<void>
}

/** Milliseconds that the next line waits for a recording. */
const MAX_RECORDING_WAIT = 20_000

/**
 * The recordings under way: passages whose text is stored and whose stat changes are still being asked for. At most one for
 * each story; it holds no lock.
 */
export class Recordings {
  private readonly running = new Map<number, RunningRecording>()

  constructor(readonly maxWait = MAX_RECORDING_WAIT) {}

  /** `record` gets a signal that aborts with an {@link EarlyEnd}. */
  start(
    { adventureId, actionId }: { adventureId: number; actionId: number },
    record: (early: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const early = new AbortController()
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const recording = { actionId, early, ended }
    this.running.set(adventureId, recording)
    void record(early.signal).finally(() => {
      if (this.running.get(adventureId) === recording) this.running.delete(adventureId)
      resolve()
    })
    return ended
  }

  /** The id of the passage that is being recorded; null if none is. */
  passageOf(adventureId: number): number | null {
    return this.running.get(adventureId)?.actionId ?? null
  }

  isRunning(adventureId: number): boolean {
    return this.running.has(adventureId)
  }

  /** Ends a recording, which then changes no stat. False when none is running. */
  end(adventureId: number, why: EarlyEnd): boolean {
    this.running.get(adventureId)?.early.abort(why)
    return this.isRunning(adventureId)
  }

  /** Resolves when the story has no recording any more. */
  async ended(adventureId: number): Promise<void> {
    await this.running.get(adventureId)?.ended
  }

  /** The same after a wait, at the end of which the recording is ended. Throws the reason of the signal. */
  async endedSoon(adventureId: number, signal: AbortSignal): Promise<void> {
    const late = setTimeout(() => this.end(adventureId, 'late'), this.maxWait)
    try {
      await unlessAborted(this.ended(adventureId), signal)
    } finally {
      clearTimeout(late)
    }
  }

  async allEnded(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ ended }) => ended))
  }
}
