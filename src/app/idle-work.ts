import { StoryError } from '../domain/errors.ts'
import { keepDailyCopy } from './files/backup.ts'
import type { Deps } from './deps.ts'
import { learnEnforcement } from './learn-enforcement.ts'
import { learnModel } from './model-facts.ts'
import { remember } from './remember.ts'

/** Milliseconds after a turn in which nothing is done, because the player may go on at once. */
const REST = 1_000

/**
 * What is done while the player reads: the journal is moved into the file, because people copy the file, the stories that
 * were played are remembered, one after the other, and once a day the library is copied.
 */
export class IdleWork {
  private timer: Timer | undefined
  private readonly waiting = new Set<number>()
  private readonly stopped = new AbortController()
  /** Models whose server was looked at since the start, and those that failed when they were to obey a schema. */
  private readonly asked = new Set<string>()
  private readonly probed = new Set<string>()
  private running: Promise<void> | null = null
  /** Something was done since it began. */
  private again = false
  private done: PromiseWithResolvers<void> | null = null
  /** The day on which a copy was tried in vain. */
  private notCopied = ''
  private whyNotCopied = ''
  private busy: { adventureId: number; what: string } | null = null

  constructor(
    private readonly deps: () => Deps,
    private readonly rest = REST,
  ) {}

  /** Something was done to a story, or to what tells them all. */
  wake(adventureId?: number): void {
    if (this.stopped.signal.aborted) return
    if (adventureId !== undefined) this.waiting.add(adventureId)
    this.done ??= Promise.withResolvers<void>()
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.settle(), this.rest)
    this.timer.unref()
  }

  /** What is being remembered of a story at this moment, in words; '' for nothing. */
  busyWith(adventureId: number): string {
    return this.busy?.adventureId === adventureId ? this.busy.what : ''
  }

  /** Why the library could not be copied when it was tried last, in a sentence; '' when it could. */
  copyTrouble(): string {
    return this.whyNotCopied
  }

  /** Resolves when nothing is being done, and nothing waits to be. */
  async ended(): Promise<void> {
    await this.done?.promise
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer)
    this.stopped.abort()
    await this.running
    this.done?.resolve()
  }

  // What cannot be moved now is moved after the next turn, or at the end.
  private settle(): void {
    this.timer = undefined
    try {
      this.deps().library.checkpoint()
    } catch (error) {
      console.error('The journal was not moved into the library file:', error)
    }
    this.again = this.running !== null
    this.running ??= this.work().finally(() => this.finish())
  }

  // Something may have been done, and a story woken, while the last one was being remembered.
  private finish(): void {
    this.running = null
    if (this.stopped.signal.aborted || this.timer !== undefined) return
    if (this.again || this.waiting.size > 0) this.settle()
    else {
      this.done?.resolve()
      this.done = null
    }
  }

  private async work(): Promise<void> {
    await learnModel(this.deps(), this.asked, this.stopped.signal).catch(() => {})
    for (const adventureId of this.waiting) {
      this.waiting.delete(adventureId)
      if (this.stopped.signal.aborted) return
      await learnEnforcement(this.deps(), adventureId, this.probed, this.stopped.signal).catch(() => {})
      await remember(this.deps(), adventureId, this.stopped.signal, (what) => {
        this.busy = { adventureId, what }
      })
      this.busy = null
    }
    await this.keepCopy()
  }

  // A copy that fails is not tried again on the same day: the player reads on, and the library's page and the log say why.
  private async keepCopy(): Promise<void> {
    const today = this.deps().now().toISOString().slice(0, 10)
    if (this.notCopied === today || this.stopped.signal.aborted) return
    try {
      await keepDailyCopy(this.deps(), this.stopped.signal)
      this.whyNotCopied = ''
    } catch (error) {
      if (this.stopped.signal.aborted) return
      this.notCopied = today
      const isKnown = error instanceof StoryError
      this.whyNotCopied = isKnown ? error.message : 'The library was not copied; the log says why.'
      console.error('The copy of the day:', isKnown ? error.message : error)
    }
  }
}
