import type { Phase, Progress, TurnEvents } from '../turn-events.ts'

/** Tells what a turn is busy with: at each change, and every second while there is nothing to read. */
export class StatusClock implements Disposable {
  private phase: Phase | null = null
  private progress: Progress = {}
  private readonly start: number
  private readonly timer: Timer

  /** `allowed` is how many seconds the model may be silent. */
  constructor(
    private readonly allowed: number,
    private readonly events: TurnEvents,
    private readonly now: () => Date,
  ) {
    this.start = now().getTime()
    this.timer = setInterval(() => this.phase !== 'writing' && this.tell(), 1_000)
  }

  show(phase: Phase, { read, total }: Progress = {}): void {
    if (phase === this.phase && read === this.progress.read) return
    this.phase = phase
    this.progress = read === undefined || total === undefined ? {} : { read, total }
    this.tell()
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer)
  }

  private tell(): void {
    if (this.phase === null) return
    const seconds = Math.floor((this.now().getTime() - this.start) / 1_000)
    this.events.push({ type: 'status', phase: this.phase, seconds, allowed: this.allowed, ...this.progress })
  }
}
