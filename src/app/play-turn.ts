import { findNewest, getAction, insertAction } from '../db/actions.ts'
import { getAdventure, getWorld } from '../db/tables/adventures.ts'
import { dropDraft } from '../db/drafts.ts'
import { findFacts } from '../db/tables/endpoint-facts.ts'
import { getSettings } from '../db/tables/settings.ts'
import { type Action, actionView, type TurnType } from '../domain/action.ts'
import { StoryError } from '../domain/errors.ts'
import { formatLine } from '../domain/text/player-line.ts'
import type { ModelFacts } from '../domain/prompt/measure.ts'
import { isBlank } from '../lib/text.ts'
import { traceOf } from '../domain/trace.ts'
import { verdictsOf } from '../domain/world/delta-report.ts'
import { hasStats } from '../domain/world/state.ts'
import type { Deps } from './deps.ts'
import { keepReply } from './keep-reply.ts'
import { clippedWords } from './model-facts.ts'
import { storing } from './storing.ts'
import { tellReply } from './tell-reply.ts'
import { TurnEvents } from './turn-events.ts'
import type { TurnLock } from './runtime/turn-lock.ts'

/** What a player asks of a turn. Blank text asks the story to go on, whatever the type. */
export interface TurnInput {
  type: TurnType
  text: string
}

/**
 * Plays a turn: the player's line is kept first, then the narrator answers (specification 3, "Generate turn").
 * Throws not_found and turn_in_progress before anything is written; every later fault is an `error` event.
 */
export function playTurn(deps: Deps, adventureId: number, input: TurnInput, hangUp: AbortSignal): TurnEvents {
  return openTurn(deps, adventureId, hangUp, (events) => {
    keepPlayerLine(deps, adventureId, input, events)
    return null
  })
}

/**
 * Tells the newest narration anew. Where the newest action is the player's, it is answered. Nothing is written
 * before the new attempt is whole (specification 3, "Retry").
 */
export function retryTurn(deps: Deps, adventureId: number, hangUp: AbortSignal): TurnEvents {
  return openTurn(deps, adventureId, hangUp, () => {
    const newest = findNewest(deps.library.reader, adventureId)
    return newest?.type === 'ai' ? newest : null
  })
}

/** Ends a running turn with the prose so far. False when none is running. Throws not_found. */
export function stopTurn(deps: Deps, adventureId: number): boolean {
  getAdventure(deps.library.reader, adventureId)
  return deps.locks.stop(adventureId)
}

type Opening = (events: TurnEvents) => Action | null

// The claim and the work begin in the same breath, so that no lock waits for a stream that nobody reads.
function openTurn(deps: Deps, adventureId: number, hangUp: AbortSignal, open: Opening): TurnEvents {
  getAdventure(deps.library.reader, adventureId)
  const lock = deps.locks.take(adventureId)
  const events = new TurnEvents()
  void runTurn(deps, adventureId, lock, hangUp, open, events)
  return events
}

async function runTurn(
  deps: Deps,
  adventureId: number,
  lock: TurnLock,
  hangUp: AbortSignal,
  open: Opening,
  events: TurnEvents,
): Promise<void> {
  try {
    using _ = lock
    const retried = open(events)
    const reply = await tellReply(deps, adventureId, retried, { hangUp, stopped: lock.stopped }, events)
    const known = factsOf(deps)
    const actionId = await keepReply(deps, adventureId, retried, reply)
    const { state, schema } = getWorld(deps.library.reader, adventureId)
    const action = getAction(deps.library.reader, adventureId, actionId)
    deps.tally.countAccepted()
    const clipped = clippedWords(reply, known)
    events.push({
      type: 'done',
      action: actionView(action, true),
      world_state: { state, schema: hasStats(schema) ? schema : null },
      verdicts: verdictsOf(action.world_delta),
      ...(clipped === '' ? {} : { notice: clipped }),
    })
  } catch (error) {
    reportFailure(deps, adventureId, error, events)
  } finally {
    events.end()
    deps.idle.wake(adventureId)
  }
}

function keepPlayerLine(
  deps: Deps,
  adventureId: number,
  { type, text: typed }: TurnInput,
  events: TurnEvents,
): void {
  if (type === 'continue' || isBlank(typed)) return
  const text = formatLine(type, typed)
  const id = storing(() =>
    deps.library.write((tx) => {
      dropDraft(tx, adventureId, typed)
      const newest = findNewest(tx, adventureId)
      // The same words sent again are the line that still waits: it is answered, not doubled.
      if (newest?.type === type && newest.text === text) return newest.id
      const { state } = getWorld(tx, adventureId)
      const index = (newest?.index ?? -1) + 1
      return insertAction(
        tx,
        { adventure_id: adventureId, index, type, text, world_state_before: state },
        deps.now(),
      )
    }),
  )
  events.push({ type: 'player', action: actionView(getAction(deps.library.reader, adventureId, id), true) })
}

function factsOf({ library }: Deps): ModelFacts {
  const { endpoint_url, model } = getSettings(library.reader)
  return findFacts(library.reader, endpoint_url, model)
}

const HOPELESS = new Set(['endpoint_refused', 'no_model'])

function reportFailure(deps: Deps, adventureId: number, error: unknown, events: TurnEvents): void {
  const fault =
    error instanceof StoryError
      ? error
      : new StoryError(
          'internal',
          'Something went wrong in Inglenook itself. Your story is as it was; try again.',
        )
  if (fault !== error) console.error('A turn failed:', traceOf(error))
  deps.tally.countFailed(fault.code)
  const { reason } = fault.more
  events.push({
    type: 'error',
    detail: fault.message,
    code: fault.code,
    ...(reason === undefined ? {} : { reason }),
    retryable: !HOPELESS.has(reason ?? '') && fault.code !== 'prompt_too_large',
    player_action_id: waitingLine(deps, adventureId),
  })
}

function waitingLine(deps: Deps, adventureId: number): number | null {
  try {
    const newest = findNewest(deps.library.reader, adventureId)
    return newest && actionView(newest, true).waiting ? newest.id : null
  } catch {
    return null
  }
}
