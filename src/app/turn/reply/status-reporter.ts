import type { Phase, Progress, TurnEvents } from '../../runtime/turn-events.ts'

/** Reports what a turn is doing: at every change, and each second until prose arrives. */
export class StatusReporter implements Disposable {
  private phase: Phase | null = null
  private progress: Progress = {}
  private readonly started: number
  private readonly timer: Timer

  /** `allowed` is the number of seconds for which the model may be silent. */
  constructor(
    private readonly allowed: number,
    private readonly events: TurnEvents,
    private readonly now: () => Date,
  ) {
    this.started = now().getTime()
    this.timer = setInterval(() => this.phase !== 'writing' && this.push(), 1_000)
  }

  report(phase: Phase, { read, total }: Progress = {}): void {
    if (phase === this.phase && read === this.progress.read) return
    this.phase = phase
    this.progress = read === undefined || total === undefined ? {} : { read, total }
    this.push()
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer)
  }

  private push(): void {
    if (this.phase === null) return
    const seconds = Math.floor((this.now().getTime() - this.started) / 1_000)
    this.events.push({ type: 'status', phase: this.phase, seconds, allowed: this.allowed, ...this.progress })
  }
}
