import type { ActionView } from '../domain/action.ts'
import type { Code } from '../domain/errors.ts'
import type { WaitPhase } from '../domain/model/model-request.ts'
import type { Verdict } from '../domain/world/referee.ts'
import type { StatSchema, WorldState } from '../domain/world/state.ts'

/** What a turn is busy with, in words that both faces know. */
export type Phase = WaitPhase | 'thinking' | 'writing' | 'recording'

/** How many tokens of the prompt the model has read, of how many; where its server tells. */
export interface Progress {
  read?: number
  total?: number
}

/** What a player sees of a turn while it runs (specification 6). The last event is `done` or `error`. */
export type TurnEvent =
  | { type: 'player'; action: ActionView }
  | ({ type: 'status'; phase: Phase; seconds: number; allowed: number } & Progress)
  | { type: 'reasoning'; text: string }
  | { type: 'chunk'; text: string }
  /** All chunks so far were reasoning: the model closed a thought that it had opened unseen. */
  | { type: 'recast' }
  | {
      type: 'done'
      action: ActionView
      world_state: { state: WorldState; schema: StatSchema | null }
      verdicts: Verdict[]
      /** Something that the player should know, in a sentence. */
      notice?: string
    }
  | {
      type: 'error'
      detail: string
      code: Code
      reason?: string
      retryable: boolean
      player_action_id: number | null
    }

/** Milliseconds between two pieces of prose: more would not be seen and costs the page. */
const FRAME = 33

/**
 * The events of one turn, from the deed that plays it to the face that shows it. The first piece is delivered at
 * once, then pieces are gathered to one every 33 ms. What nobody reads is let go with the turn.
 */
export class TurnEvents implements AsyncIterable<TurnEvent> {
  private readonly ready: TurnEvent[] = []
  private gathered: { type: 'chunk' | 'reasoning'; text: string } | null = null
  private timer: Timer | undefined
  private ended = false
  private wake: () => void = () => {}

  push(event: TurnEvent): void {
    const isPiece = event.type === 'chunk' || event.type === 'reasoning'
    if (isPiece && this.timer !== undefined) this.gather(event)
    else this.deliver(event)
    if (isPiece) this.timer ??= setTimeout(() => this.tick(), FRAME)
  }

  end(): void {
    this.release()
    clearTimeout(this.timer)
    this.ended = true
    this.wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TurnEvent> {
    for (;;) {
      const event = this.ready.shift()
      if (event) yield event
      else if (this.ended) return
      else await new Promise<void>((resolve) => (this.wake = resolve))
    }
  }

  private tick(): void {
    this.timer = this.gathered ? setTimeout(() => this.tick(), FRAME) : undefined
    this.release()
  }

  private gather(piece: { type: 'chunk' | 'reasoning'; text: string }): void {
    if (this.gathered?.type !== piece.type) this.release()
    if (this.gathered) this.gathered.text += piece.text
    else this.gathered = { ...piece }
  }

  private deliver(event: TurnEvent): void {
    this.release()
    this.ready.push(event)
    this.wake()
  }

  private release(): void {
    if (this.gathered === null) return
    this.ready.push(this.gathered)
    this.gathered = null
    this.wake()
  }
}
