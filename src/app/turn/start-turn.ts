import type { Action } from '../../domain/action.ts'
import { type TurnEvent, TurnEvents } from '../runtime/turn-events.ts'
import type { TurnLock } from '../runtime/turn-lock.ts'
import type { OpenTurn } from './turn.ts'
import { reportFailure } from './turn-failures.ts'

/** A turn whose text is stored and whose lock is free. */
export interface Played {
  /** If its stat changes have to be asked for, resolves when they are recorded. */
  recorded: Promise<void> | null
}

/**
 * The cause of a `disconnected`: the end of the connection of an API client, or so many milliseconds in which no page
 * watched.
 */
export type Disconnect = AbortSignal | number

interface Start extends Pick<OpenTurn, 'deps' | 'adventureId'> {
  disconnect: Disconnect
  repeatsSteering?: boolean
  /** The passage that gets another version, null for a new one; absent from a turn that writes no text. */
  retried?: Pick<Action, 'id'> | null
}

/**
 * Starts a turn, which `play` plays, and frees its lock. The lock is taken and the turn started in one synchronous step: no
 * lock waits for a stream that nobody reads. A failure is an `error` event.
 */
export function startTurn(
  { deps, adventureId, disconnect, repeatsSteering = false, retried }: Start,
  lock: TurnLock,
  play: (turn: OpenTurn) => Promise<Played>,
): ReadableStream<TurnEvent> {
  const { live, closing } = deps
  const { stopped } = lock
  const patience = typeof disconnect === 'number' ? disconnect : null
  const watched = retried === undefined ? null : live.begin(adventureId, retried?.id ?? null, patience)
  const signals = [disconnect, watched?.left.signal].filter((one) => one instanceof AbortSignal)
  const disconnected = AbortSignal.any(signals)
  const events = new TurnEvents((event) => live.add(adventureId, watched, event))
  const signal = AbortSignal.any([disconnected, stopped, closing])
  void runTurn({ deps, adventureId, disconnected, repeatsSteering, events, stopped, signal }, lock, play)
  return events.stream
}

async function runTurn(
  open: OpenTurn,
  lock: TurnLock,
  play: (turn: OpenTurn) => Promise<Played>,
): Promise<void> {
  open.deps.idle.turnBegan()
  try {
    const { recorded } = await play(open).finally(() => lock[Symbol.dispose]())
    await recorded
  } catch (error) {
    reportFailure(open, error)
  } finally {
    open.events.end()
    open.deps.idle.turnEnded(open.adventureId)
  }
}
