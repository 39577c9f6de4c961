import type { ActionView } from '../../domain/action.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { WaitPhase } from '../../domain/model/model-request.ts'
import type { Verdict } from '../../domain/world/referee.ts'
import type { StatSchema, WorldState } from '../../domain/world/state.ts'

export type Phase = WaitPhase | 'thinking' | 'writing' | 'recording'

/** The tokens of the prompt that the model has read, and their total; absent if the server does not say. */
export interface Progress {
  read?: number
  total?: number
}

/** An event of a running turn, for the player. The last one is `done` or `error`. */
export type TurnEvent =
  /** The interrupted reply at the end of the story was kept before this turn. */
  | { type: 'kept'; action: ActionView }
  /** The line is stored. An interrupted reply before it that was not kept is dropped. */
  | { type: 'player'; action: ActionView; dropped?: true }
  | ({ type: 'status'; phase: Phase; seconds: number; allowed: number } & Progress)
  | { type: 'reasoning'; text: string }
  | { type: 'chunk'; text: string }
  /** All chunks so far were reasoning: the model closed a thinking tag that its prompt had opened. */
  | { type: 'recast' }
  /** All chunks so far are discarded, and the model is asked again: nothing of them was good. */
  | { type: 'discarded'; detail: string }
  /** The turn is accepted and its text stored; its stat changes are still being recorded. */
  | { type: 'told'; action: ActionView; notice?: string }
  | {
      type: 'done'
      action: ActionView
      world_state: { state: WorldState; schema: StatSchema | null }
      verdicts: Verdict[]
      /** A sentence that the player should see. */
      notice?: string
    }
  | {
      type: 'error'
      detail: string
      code: ErrorCode
      reason?: string
      retryable: boolean
      player_action_id: number | null
    }

export type TurnEventOf<T extends TurnEvent['type']> = Extract<TurnEvent, { type: T }>

/** Milliseconds between two chunks. More chunks would cost the page work that nobody can see. */
const CHUNK_INTERVAL = 33

interface Chunk {
  type: 'chunk' | 'reasoning'
  text: string
}

/**
 * The events of one turn, from the code that plays it to whoever shows it. The first chunk is delivered at once; later ones
 * are merged into one every 33 ms.
 */
export class TurnEvents {
  /** The events for one client, unless it is canceled; pages watch what `observe` makes of them. */
  readonly stream: ReadableStream<TurnEvent>
  private reader: ReadableStreamDefaultController<TurnEvent> | null = null
  private pending: Chunk | null = null
  private timer: Timer | undefined

  constructor(private readonly observe: (event: TurnEvent) => void) {
    this.stream = new ReadableStream({
      start: (reader) => {
        this.reader = reader
      },
      cancel: () => {
        this.reader = null
      },
    })
  }

  push(event: TurnEvent): void {
    const isChunk = event.type === 'chunk' || event.type === 'reasoning'
    if (isChunk && this.timer !== undefined) this.merge(event)
    else this.deliver(event)
    if (isChunk) this.timer ??= setTimeout(() => this.tick(), CHUNK_INTERVAL)
  }

  end(): void {
    this.flush()
    clearTimeout(this.timer)
    this.reader?.close()
  }

  private tick(): void {
    this.timer = this.pending ? setTimeout(() => this.tick(), CHUNK_INTERVAL) : undefined
    this.flush()
  }

  private merge(chunk: Chunk): void {
    if (this.pending?.type !== chunk.type) this.flush()
    if (this.pending) this.pending.text += chunk.text
    else this.pending = { ...chunk }
  }

  private deliver(event: TurnEvent): void {
    this.flush()
    this.send(event)
  }

  private send(event: TurnEvent): void {
    this.observe(event)
    this.reader?.enqueue(event)
  }

  private flush(): void {
    const { pending } = this
    this.pending = null
    if (pending !== null) this.send(pending)
  }
}
