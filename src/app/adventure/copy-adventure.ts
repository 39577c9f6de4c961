import type { Writer } from '../../db/database.ts'
import { insertCopy } from '../../db/stories/copy-adventure.ts'
import { rewindSummary } from '../../db/stories/invalidate.ts'
import { findWorldBefore, getAttempts } from '../../db/tables/actions/attempts.ts'
import { getAction } from '../../db/tables/actions/list.ts'
import { findNext, LAST_POSITION } from '../../db/tables/actions/position.ts'
import { getAdventure, getWorld, pinSchema, updateWorldState } from '../../db/tables/adventures.ts'
import { clampCursors } from '../../db/tables/memories.ts'
import { deleteLaterSummary } from '../../db/tables/summaries.ts'
import { moveBreaksBackTo } from '../../db/tables/world-breaks.ts'
import type { Action } from '../../domain/action.ts'
import { copyTitle } from '../../domain/adventure.ts'
import { stateOf } from '../../domain/variant.ts'
import { reconciledState } from '../../domain/world/reconcile.ts'
import type { WorldState } from '../../domain/world/state.ts'
import type { Deps } from '../deps.ts'

/**
 * Copies an adventure up to an action, with the world state of that moment, or as a whole if `upTo` is null. Returns the
 * id of the copy. Throws not_found.
 */
export function copyAdventure(deps: Deps, adventureId: number, upTo: number | null): number {
  return deps.library.write((tx) => {
    const last = upTo === null ? null : getAction(tx, adventureId, upTo)
    return last === null
      ? copyWhole(tx, adventureId, deps.now())
      : copyUpTo(tx, adventureId, last, deps.now())
  })
}

/** Copies a whole story within a transaction. Throws not_found. */
export function copyWhole(tx: Writer, adventureId: number, now: Date): number {
  const { title } = getAdventure(tx, adventureId)
  const copy = insertCopy(tx, adventureId, { title: copyTitle(title, null), end: LAST_POSITION }, now)
  pinWorld(tx, copy)
  return copy
}

function copyUpTo(tx: Writer, adventureId: number, last: Action, now: Date): number {
  const { title } = getAdventure(tx, adventureId)
  const next = findNext(tx, adventureId, last)
  const copy = insertCopy(tx, adventureId, { title: copyTitle(title, last.index), end: last }, now)
  pinWorld(tx, copy)
  if (next === null) return copy
  rewindSummary(tx, copy, last.index + 1)
  deleteLaterSummary(tx, copy)
  clampCursors(tx, copy)
  moveBreaksBackTo(tx, copy, last.index)
  const state = findWorldBefore(tx, next.id) ?? worldAfter(tx, last)
  if (state) updateWorldState(tx, copy, reconciledState(getWorld(tx, copy).schema, state))
  return copy
}

/** The world state after an action from its own row, for when the next row does not have it. */
function worldAfter(tx: Writer, { id, variant_index }: Action): WorldState | null {
  const { variants, world_state_before } = getAttempts(tx, id)
  const live = variants[variant_index]
  return (live && stateOf(live)) ?? world_state_before
}

// Without a schema of their own, both stories would follow the scenario's, and an update of one would change the other.
function pinWorld(tx: Writer, adventureId: number): void {
  const { pinned, schema } = getWorld(tx, adventureId)
  if (!pinned) pinSchema(tx, adventureId, schema)
}
