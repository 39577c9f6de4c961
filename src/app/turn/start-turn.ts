import type { LiveTurn } from '../runtime/live-stories.ts'
import { TurnEvents } from '../runtime/turn-events.ts'
import type { TurnLock } from '../runtime/turn-lock.ts'
import type { OpenTurn } from './turn.ts'
import { reportFailure } from './turn-failures.ts'

/** A turn whose text is stored and whose lock is free. */
export interface Played {
  /** If its stat changes have to be asked for, resolves when they are recorded. */
  recorded: Promise<void> | null
}

interface Watched {
  /** The turn as pages show it; null for one that writes no text. */
  watched: LiveTurn | null
}

/**
 * Starts a turn, which `play` plays and whose lock it frees. The lock is taken and the turn started in one synchronous step:
 * no lock waits for a stream that nobody reads. A failure is an `error` event.
 */
export function startTurn(
  start: Pick<OpenTurn, 'deps' | 'adventureId' | 'disconnected' | 'repeatsSteering'> & Watched,
  { stopped }: TurnLock,
  play: (turn: OpenTurn) => Promise<Played>,
): TurnEvents {
  const { live, closing } = start.deps
  const events = new TurnEvents((event) => live.add(start.adventureId, start.watched, event))
  const signal = AbortSignal.any([start.disconnected, stopped, closing])
  void runTurn({ ...start, events, stopped, signal }, play)
  return events
}

async function runTurn(open: OpenTurn, play: (turn: OpenTurn) => Promise<Played>): Promise<void> {
  open.deps.idle.turnBegan()
  try {
    const { recorded } = await play(open)
    await recorded
  } catch (error) {
    reportFailure(open, error)
  } finally {
    open.events.end()
    open.deps.idle.turnEnded(open.adventureId)
  }
}
