import type { Code } from '../../domain/errors.ts'

/** How turns have ended since the start (specification 7: "the failure is counted"). */
export class Tally {
  private accepted = 0
  private readonly failed = new Map<Code, number>()

  countAccepted(): void {
    this.accepted++
  }

  countFailed(code: Code): void {
    this.failed.set(code, (this.failed.get(code) ?? 0) + 1)
  }

  read(): { accepted: number; failed: Record<string, number> } {
    return { accepted: this.accepted, failed: Object.fromEntries(this.failed) }
  }
}
