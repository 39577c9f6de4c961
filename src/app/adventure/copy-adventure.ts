import { END, findNext, findWorldBefore, getAction, getAttempts } from '../../db/actions.ts'
import { getAdventure, getWorld, pinSchema, updateWorldState } from '../../db/tables/adventures.ts'
import { insertCopy } from '../../db/stories/copy-adventure.ts'
import type { Writer } from '../../db/database.ts'
import { takeBackSummary } from '../../db/forget.ts'
import { clampCursors } from '../../db/tables/memories.ts'
import { dropLaterSummary } from '../../db/tables/summaries.ts'
import { pullBreaksTo } from '../../db/tables/world-breaks.ts'
import type { Action } from '../../domain/action.ts'
import { copyTitle } from '../../domain/adventure.ts'
import { stateOf } from '../../domain/variant.ts'
import { fitted } from '../../domain/world/reconcile.ts'
import type { WorldState } from '../../domain/world/state.ts'
import type { Deps } from '../deps.ts'

/**
 * Starts a new adventure from here: a copy up to an action with its world as it was then, or of the whole story without
 * one. The story itself is left alone. Gives the id of the copy. Throws not_found.
 */
export function copyAdventure(deps: Deps, adventureId: number, upTo: number | null): number {
  return deps.library.write((tx) => {
    const last = upTo === null ? null : getAction(tx, adventureId, upTo)
    return last === null
      ? copyWhole(tx, adventureId, deps.now())
      : copyUpTo(tx, adventureId, last, deps.now())
  })
}

/** Copies a story as it is, within another deed. Throws not_found. */
export function copyWhole(tx: Writer, adventureId: number, now: Date): number {
  const { title } = getAdventure(tx, adventureId)
  const copy = insertCopy(tx, adventureId, copyTitle(title, null), END, now)
  pinWorld(tx, copy)
  return copy
}

function copyUpTo(tx: Writer, adventureId: number, last: Action, now: Date): number {
  const { title } = getAdventure(tx, adventureId)
  const next = findNext(tx, adventureId, last)
  const copy = insertCopy(tx, adventureId, copyTitle(title, last.index), last, now)
  pinWorld(tx, copy)
  if (next === null) return copy
  takeBackSummary(tx, copy, last.index + 1)
  dropLaterSummary(tx, copy)
  clampCursors(tx, copy)
  pullBreaksTo(tx, copy, last.index)
  const then = findWorldBefore(tx, next.id) ?? worldAfter(tx, last)
  if (then) updateWorldState(tx, copy, fitted(getWorld(tx, copy).schema, then))
  return copy
}

/** What an action left, as its own row tells: where the next one does not. */
function worldAfter(tx: Writer, { id, variant_index }: Action): WorldState | null {
  const { variants, world_state_before } = getAttempts(tx, id)
  const live = variants[variant_index]
  return (live && stateOf(live)) ?? world_state_before
}

// Two stories that count by a scenario's own schema would go different ways when one of them is refreshed.
function pinWorld(tx: Writer, adventureId: number): void {
  const { pinned, schema } = getWorld(tx, adventureId)
  if (!pinned) pinSchema(tx, adventureId, schema)
}
