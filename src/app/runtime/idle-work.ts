import { StoryError } from '../../domain/errors.ts'
import { printError, printProblem } from '../../lib/print.ts'
import type { Deps, Idle } from '../deps.ts'
import { proposeCards } from '../memory/propose-cards.ts'
import { findOverdue, remember } from '../memory/remember.ts'
import { learnModel } from '../model/learn-model.ts'
import { recallAhead } from '../prompt/load-recall.ts'
import { readAhead } from '../prompt/read-ahead.ts'
import { keepDailyCopy } from '../storage/backup.ts'
import { wasPreempted } from './call-queue.ts'
import { checkOpenLibrary } from './library-check.ts'
import { PlayerPauses } from './player-pauses.ts'

/** Milliseconds without any input from the player, after which background work begins. */
const REST = 3_000
/** After this many interruptions in a row, the work waits twice as long. */
const MANY_BREAK_OFFS = 2
/** The least time for a piece of work, even if the player sends turns without a pause. */
const MIN_SECONDS = 6
/** After so many rests the player is taken to be absent, and the other stories are worked on. */
const ABSENT_RESTS = 100

/** A piece of background work for one story. Throws when it fails or is preempted. */
type Task = (deps: Deps, work: StoryWork) => Promise<void>

interface StoryWork {
  adventureId: number
  /** The time that the player's pauses leave. */
  seconds: number
  signal: AbortSignal
  report: (description: string) => void
}

const recall: Task = ({ library }, { adventureId, signal }) =>
  recallAhead(library.reader, adventureId, signal)

/** Background work in its order. Questions take the place of the notes that were read ahead, so these are read again. */
const TASKS: readonly Task[] = [recall, readAhead, remember, proposeCards, readAhead]
/** The same when a memory or the summary is overdue. */
const MEMORY_FIRST: readonly Task[] = [recall, remember, readAhead, proposeCards, readAhead]

/**
 * Background work while the player reads: moves the journal into the library file (people copy that file), prepares the
 * next turn of the story in play, makes memories, and copies the library once a day. It begins after a rest, gives way to
 * every turn, and turns to other stories only when nobody plays.
 */
export class IdleWork implements Idle {
  private timer: Timer | undefined
  /** The story that was played or opened last. */
  private inPlay: number | undefined
  /** The stories with work due. */
  private readonly queue = new Set<number>()
  private readonly stopped = new AbortController()
  /** The models whose server was contacted since the start or since the settings were saved. */
  private readonly knownModels = new Set<string>()
  private running: Promise<void> | null = null
  /** The check of a library that was opened as it had been left: once, in the first rest. */
  private checked: Promise<void> | null = null
  /** Something changed while the work was running. */
  private isDueAgain = false
  private done: PromiseWithResolvers<void> | null = null
  private lastActive = 0
  private breakOffs = 0
  private readonly pauses = new PlayerPauses()
  /** The day on which the daily copy failed, and the reason. */
  private copyFailedOn = ''
  private copyError = ''
  private current: { adventureId: number; description: string } | null = null

  constructor(
    private readonly deps: () => Deps,
    private readonly rest = REST,
  ) {}

  wake(adventureId = this.inPlay): void {
    if (this.stopped.signal.aborted) return
    this.lastActive = this.deps().now().getTime()
    this.inPlay = adventureId
    if (adventureId !== undefined) this.queue.add(adventureId)
    this.done ??= Promise.withResolvers<void>()
    this.startAfter(this.nextRest())
  }

  private nextRest(): number {
    return this.breakOffs >= MANY_BREAK_OFFS ? 2 * this.rest : this.rest
  }

  turnBegan(): void {
    this.pauses.end(this.deps().now().getTime())
  }

  turnEnded(adventureId: number): void {
    this.pauses.begin(this.deps().now().getTime())
    this.wake(adventureId)
  }

  storyChanged(adventureId: number): void {
    this.deps().calls.preempt()
    this.wake(adventureId)
  }

  learnAgain(): void {
    this.knownModels.clear()
    this.wake()
  }

  busyWith(adventureId: number): string {
    return this.current?.adventureId === adventureId ? this.current.description : ''
  }

  copyFailure(): string {
    return this.copyError
  }

  async ended(): Promise<void> {
    await this.done?.promise
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer)
    this.stopped.abort()
    await this.running
    this.done?.resolve()
  }

  private startAfter(milliseconds: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.start(), milliseconds)
    this.timer.unref()
  }

  // A journal that cannot be moved now is moved after the next turn, or when the library is closed.
  private start(): void {
    this.timer = undefined
    // The end of the turn wakes the work again.
    if (this.deps().locks.isAnyTaken) return
    if (this.deps().library.findProblem()) {
      this.becomeIdle()
      return
    }
    this.deps().unsavedReplies.saveAll(this.deps().library)
    try {
      this.deps().library.checkpoint()
    } catch (error) {
      printError('The journal could not be moved into the library file', error)
    }
    this.checked ??= checkOpenLibrary(this.deps(), this.stopped.signal)
    this.isDueAgain = this.running !== null
    this.running ??= this.work().then((outcome) => this.finish(outcome))
  }

  // Something may have changed, or a story may have been queued, during the last step. Whoever broke the work off wakes it
  // again, perhaps before it has ended.
  private finish(outcome: 'done' | 'broken off'): void {
    this.running = null
    if (this.stopped.signal.aborted || this.timer !== undefined) return
    if (this.isDueAgain) this.start()
    else if (outcome === 'broken off') return
    else if (this.dueStories().length > 0) this.start()
    else this.becomeIdle()
  }

  private becomeIdle(): void {
    if (this.queue.size > 0) this.startAfter(ABSENT_RESTS * this.rest)
    this.done?.resolve()
    this.done = null
  }

  private async work(): Promise<'done' | 'broken off'> {
    const { signal } = this.stopped
    await this.checked
    if (this.deps().library.findProblem()) return 'done'
    await this.deps().removals.run(this.deps())
    await learnModel(this.deps(), this.knownModels, signal).catch(() => {})
    for (const adventureId of this.dueStories()) {
      if (signal.aborted) break
      this.queue.delete(adventureId)
      if (await this.workOn(adventureId)) continue
      this.queue.add(adventureId)
      this.breakOffs++
      return 'broken off'
    }
    await this.copyDaily()
    return 'done'
  }

  /** The story in play first; the others only when nobody plays. */
  private dueStories(): number[] {
    const { inPlay } = this
    const first = inPlay !== undefined && this.queue.has(inPlay) ? [inPlay] : []
    const isAbsent = this.deps().now().getTime() - this.lastActive >= ABSENT_RESTS * this.rest
    return isAbsent ? [...first, ...[...this.queue].filter((id) => id !== inPlay)] : first
  }

  /** Returns false if a turn interrupted the work. */
  private async workOn(adventureId: number): Promise<boolean> {
    const report = (description: string) => (this.current = { adventureId, description })
    const seconds = Math.max(MIN_SECONDS, (this.pauses.usual - this.nextRest()) / 1_000)
    const work = { adventureId, seconds, signal: this.stopped.signal, report }
    try {
      const tasks = findOverdue(this.deps().library.reader, adventureId) !== null ? MEMORY_FIRST : TASKS
      for (const task of tasks) if (!(await didRun(task, this.deps(), work))) return false
      this.breakOffs = 0
      return true
    } finally {
      this.current = null
    }
  }

  // A failed copy is not repeated on the same day. The library page and the log show why it failed.
  private async copyDaily(): Promise<void> {
    const today = this.deps().now().toISOString().slice(0, 10)
    if (this.copyFailedOn === today || this.stopped.signal.aborted) return
    try {
      await keepDailyCopy(this.deps(), this.stopped.signal)
      this.copyError = ''
    } catch (error) {
      if (this.stopped.signal.aborted) return
      this.copyFailedOn = today
      const isKnown = error instanceof StoryError
      this.copyError = isKnown ? error.message : 'The library was not copied; the log says why.'
      if (isKnown) printProblem(`The daily copy failed: ${error.message}`)
      else printError('The daily copy failed', error)
    }
  }
}

// A failed task is due again after the next turn. If the server is down, the player sees that turn fail.
async function didRun(task: Task, deps: Deps, work: StoryWork): Promise<boolean> {
  if (work.signal.aborted) return true
  try {
    await task(deps, work)
  } catch (error) {
    if (wasPreempted(error)) return false
    if (!(error instanceof StoryError) && !work.signal.aborted) printError('Background work failed', error)
  }
  return true
}
