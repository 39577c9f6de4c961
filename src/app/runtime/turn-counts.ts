import type { ErrorCode } from '../../domain/errors.ts'

/** How turns have ended since the service started. */
export class TurnCounts {
  private accepted = 0
  private readonly failed = new Map<ErrorCode, number>()

  countAccepted(): void {
    this.accepted++
  }

  countFailed(code: ErrorCode): void {
    this.failed.set(code, (this.failed.get(code) ?? 0) + 1)
  }

  read(): { accepted: number; failed: Record<string, number> } {
    return { accepted: this.accepted, failed: Object.fromEntries(this.failed) }
  }
}
