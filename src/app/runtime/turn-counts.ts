import type { ErrorCode } from '../../domain/errors.ts'

/** Counts of turns by their ends, since the service started. */
export class TurnCounts {
  private accepted = 0
  /** Turns undone in a row, by story. */
  private readonly undone = new Map<number, number>()
  private readonly failed = new Map<ErrorCode, number>()

  countAccepted(adventureId: number): void {
    this.accepted++
    this.undone.delete(adventureId)
  }

  /** Returns how many turns of a story were undone one after another. */
  countUndone(adventureId: number): number {
    const count = (this.undone.get(adventureId) ?? 0) + 1
    this.undone.set(adventureId, count)
    return count
  }

  countFailed(code: ErrorCode): void {
    this.failed.set(code, (this.failed.get(code) ?? 0) + 1)
  }

  read(): { accepted: number; failed: Record<string, number> } {
    return { accepted: this.accepted, failed: Object.fromEntries(this.failed) }
  }
}
