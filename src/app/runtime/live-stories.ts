import type { TurnEvent, TurnEventOf } from './turn-events.ts'

/** A turn that runs, as pages show it. Its text is kept until it ends; there is no log of its events. */
export class LiveTurn {
  text = ''
  reasoning = ''
  /** Null before it is known. */
  status: TurnEventOf<'status'> | null = null
  /** The reason why the text so far was discarded; '' if it was not. */
  discarded = ''
  /** Aborted when no page has watched it for too long. */
  readonly left = new AbortController()
  timer: Timer | undefined

  constructor(
    /** Different for each turn since the service started. */
    readonly number: number,
    /** The id of the passage that gets another version; null for a new one. */
    readonly retried: number | null,
    /** Milliseconds for which no page has to watch it; null where a client of the API reads it. */
    readonly patience: number | null = null,
  ) {}

  add(event: TurnEvent): void {
    if (event.type === 'chunk') this.text += event.text
    if (event.type === 'reasoning') this.reasoning += event.text
    if (event.type === 'status') this.status = event
    if (event.type === 'discarded') this.discarded = event.detail
    if (event.type === 'recast' || event.type === 'discarded') this.text = ''
  }
}

/** The end of the last turn of a story, for pages that did not see it: the failure, or a notice for the player. */
export interface TurnOutcome {
  error: TurnEventOf<'error'> | null
  /** True if it was to replace a passage. */
  isRetry: boolean
  notice: string
}

/** Tells a page that watches: more of the running turn has come, or anything else may have changed. */
type Listener = (what: 'turn' | 'story') => void

/** The turns that run, how the last ones ended, and the pages that watch. The service owns a turn; pages come and go. */
export class LiveStories {
  private readonly turns = new Map<number, LiveTurn>()
  private readonly outcomes = new Map<number, TurnOutcome>()
  private readonly listeners = new Map<number, Set<Listener>>()
  private count = 0

  begin(adventureId: number, retried: number | null, patience: number | null): LiveTurn {
    const turn = new LiveTurn(++this.count, retried, patience)
    this.turns.set(adventureId, turn)
    this.waitForPage(adventureId)
    this.changed()
    return turn
  }

  /** The text of a turn is stored, or it has failed. */
  private end(adventureId: number): void {
    clearTimeout(this.find(adventureId)?.timer)
    this.turns.delete(adventureId)
    this.changed()
  }

  /** The turn whose text is being written; null if none is. */
  find(adventureId: number): LiveTurn | null {
    return this.turns.get(adventureId) ?? null
  }

  /** Adds an event of a turn, or of a recording; what a recording reports while the next turn runs is not shown. */
  add(adventureId: number, turn: LiveTurn | null, event: TurnEvent): void {
    const running = this.find(adventureId)
    if (running !== null && running !== turn) return
    turn?.add(event)
    const notice = 'notice' in event ? (event.notice ?? '') : ''
    if (event.type === 'error' || notice !== '') {
      const error = event.type === 'error' ? event : null
      this.outcomes.set(adventureId, { error, isRetry: (turn?.retried ?? null) !== null, notice })
    }
    if (['told', 'done', 'error'].includes(event.type)) this.end(adventureId)
    else for (const listener of this.listeners.get(adventureId) ?? []) listener('turn')
  }

  outcomeOf(adventureId: number): TurnOutcome | null {
    return this.outcomes.get(adventureId) ?? null
  }

  /** The story is being changed: how the turn before ended is no news any more. */
  forgetOutcome(adventureId: number): void {
    this.outcomes.delete(adventureId)
  }

  /** Call it when something was written, or has begun or ended that pages show. */
  changed(): void {
    for (const listeners of this.listeners.values()) for (const listener of listeners) listener('story')
  }

  /** Watches a story until it is disposed of. */
  watch(adventureId: number, listener: Listener): Disposable {
    const listeners = this.listeners.get(adventureId) ?? new Set()
    this.listeners.set(adventureId, listeners.add(listener))
    clearTimeout(this.find(adventureId)?.timer)
    const leave = () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      this.listeners.delete(adventureId)
      this.waitForPage(adventureId)
    }
    return { [Symbol.dispose]: leave }
  }

  /** A page of the story was loaded, which watches without a script as long as it is loaded again. */
  waitForPage(adventureId: number): void {
    const turn = this.find(adventureId)
    if (!turn || turn.patience === null || this.listeners.has(adventureId)) return
    clearTimeout(turn.timer)
    turn.timer = setTimeout(() => turn.left.abort(), turn.patience)
  }
}
