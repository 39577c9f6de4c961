import type { Reader, Step, Writer } from '../../db/database.ts'
import { copySteps } from '../../db/stories/copy-adventure.ts'
import { rewindSummary } from '../../db/stories/invalidate.ts'
import { getAction } from '../../db/tables/actions/list.ts'
import { findNext, LAST_POSITION } from '../../db/tables/actions/position.ts'
import { findWorldBefore, getVariants } from '../../db/tables/actions/variants.ts'
import { getAdventure, getWorld, pinSchema, updateWorldState } from '../../db/tables/adventures.ts'
import { clampCursors } from '../../db/tables/memory/memories.ts'
import { deleteLaterSummary } from '../../db/tables/memory/summaries.ts'
import { moveBreaksBackTo } from '../../db/tables/world-breaks.ts'
import type { Action } from '../../domain/action.ts'
import { copyTitle } from '../../domain/adventure.ts'
import { stateOf } from '../../domain/variant.ts'
import { reconciledState } from '../../domain/world/reconcile.ts'
import type { WorldState } from '../../domain/world/state.ts'
import type { CopyRequest } from '../worker/worker-job.ts'

/** Copies an adventure in steps, and gives the copy the state of its last action. Returns its id, which is also in `written`. */
export function* storyCopySteps(
  reader: Reader,
  { adventure, upTo, at }: CopyRequest,
  written: number[] = [],
): Generator<Step, number> {
  const { title } = getAdventure(reader, adventure)
  const last = upTo === null ? null : getAction(reader, adventure, upTo)
  const end = last ?? LAST_POSITION
  const copy = yield* copySteps(adventure, {
    title: copyTitle(title),
    end,
    now: at,
    written,
  })
  yield (tx) => pinWorld(tx, copy)
  const next = last && findNext(reader, adventure, last)
  if (last && next) yield (tx) => goBackTo(tx, copy, last, next.id)
  return copy
}

/** The copy ends before the original does: its summary, cursors and world state are those of its last action. */
function goBackTo(tx: Writer, copy: number, last: Action, next: number): void {
  rewindSummary(tx, copy, last.index + 1)
  deleteLaterSummary(tx, copy)
  clampCursors(tx, copy)
  moveBreaksBackTo(tx, copy, last.index)
  const state = findWorldBefore(tx, next) ?? worldAfter(tx, last)
  if (state) updateWorldState(tx, copy, reconciledState(getWorld(tx, copy).schema, state))
}

/** The world state after an action from its own row, for when the next row does not have it. */
function worldAfter(tx: Writer, { id, variant_index }: Action): WorldState | null {
  const { variants, world_state_before } = getVariants(tx, id)
  const live = variants[variant_index]
  return (live && stateOf(live)) ?? world_state_before
}

// Without a schema of their own, both stories would follow the scenario's, and an update of one would change the other.
function pinWorld(tx: Writer, adventureId: number): void {
  const { pinned, schema } = getWorld(tx, adventureId)
  if (!pinned) pinSchema(tx, adventureId, schema)
}
