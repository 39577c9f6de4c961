import { getSettings } from '../../db/tables/settings.ts'
import { findDraft } from '../../db/tables/waiting-lines.ts'
import type { Action } from '../../domain/action.ts'
import type { Endpoint } from '../../domain/model/model-request.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Deps } from '../deps.ts'
import { endpointOf } from '../model/ask-model.ts'
import type { TurnEvents } from '../runtime/turn-events.ts'

/** A turn that has just been opened: it holds the lock of its story, and nothing has been written yet. */
export interface OpenTurn {
  readonly deps: Deps
  readonly adventureId: number
  readonly events: TurnEvents
  /** Aborted when the client closes its connection. */
  readonly disconnected: AbortSignal
  /** Aborted when the player stops the turn. */
  readonly stopped: AbortSignal
  /** Aborted when the player stops the turn, the client disconnects or the service closes. */
  readonly signal: AbortSignal
  /** True if a retry without a note uses the note of the version that it retries. */
  readonly repeatsSteering: boolean
}

/** The facts of one turn: made once, then passed as one. */
export interface Turn extends OpenTurn {
  /** The action that gets another version; null for a new one. */
  readonly retried: Action | null
  readonly settings: Settings
  /** The player's note about the passage; '' without one. */
  readonly steering: string
  readonly endpoint: Endpoint
}

/** Adds what a reply depends on. Throws provider_error when no model is chosen. */
export function makeTurn(open: OpenTurn, retried: Action | null): Turn {
  const { deps, adventureId } = open
  const settings = getSettings(deps.library.reader)
  const repeated = open.repeatsSteering ? retried?.steering : null
  const steering = findDraft(deps.library.reader, adventureId).steering || (repeated ?? '')
  return { ...open, retried, settings, steering, endpoint: endpointOf(deps, settings) }
}
