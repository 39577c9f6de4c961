import { findNewest, getAttempts, updateLive, updateWorldDelta } from '../db/actions.ts'
import { getAdventure, getWorld, pinSchema, updateWorldState, type World } from '../db/tables/adventures.ts'
import type { Writer } from '../db/database.ts'
import type { Action } from '../domain/action.ts'
import { StoryError } from '../domain/errors.ts'
import { setByHand } from '../domain/world/manual-change.ts'
import type { Verdict } from '../domain/world/referee.ts'
import { listed, type Report, withManual } from '../domain/world/delta-report.ts'
import { hasStats, type StatSchema, type WorldState } from '../domain/world/state.ts'
import type { Deps } from './deps.ts'
import { implicitAttempt, liveFrom } from './keep-reply.ts'

/** What became of the player's own changes. */
export interface SetByHand {
  state: WorldState
  report: Pick<Report, 'applied' | 'clamped' | 'rejected' | 'verdicts'>
}

/**
 * Sets values by the player's hand (specification 1.6, "World State drawer"). They belong to the attempt that is live:
 * they come back with it, and a new attempt starts without them. Throws not_found, no_world_state, turn_in_progress.
 */
export function changeWorld(deps: Deps, adventureId: number, values: Record<string, unknown>): SetByHand {
  getAdventure(deps.library.reader, adventureId)
  using _ = deps.locks.take(adventureId)
  return deps.library.write((tx) => {
    const world = getWorld(tx, adventureId)
    const { schema } = world
    if (!hasStats(schema)) throw new StoryError('no_world_state', 'Nothing is counted in this story.')
    const { after, verdicts } = setByHand(schema, world.state, values)
    const moved = verdicts.filter(({ verdict }) => verdict === 'manual')
    if (moved.length > 0) keepMoves(tx, adventureId, world, schema, after, moved)
    return { state: after, report: { ...listed(verdicts), verdicts } }
  })
}

function keepMoves(
  tx: Writer,
  adventureId: number,
  world: World,
  schema: StatSchema,
  after: WorldState,
  moved: Verdict[],
): void {
  const newest = findNewest(tx, adventureId)
  if (newest?.type === 'ai') keepWithAttempt(tx, newest, world, after, moved)
  else if (newest) updateWorldDelta(tx, newest.id, withManual(newest.world_delta, moved))
  updateWorldState(tx, adventureId, after)
  if (!world.pinned) pinSchema(tx, adventureId, schema)
}

function keepWithAttempt(
  tx: Writer,
  action: Action,
  world: World,
  after: WorldState,
  moved: Verdict[],
): void {
  const stored = getAttempts(tx, action.id).variants
  const variants = stored.length > 0 ? stored : [implicitAttempt(action, world)]
  const index = action.variant_index
  const live = variants[index]
  if (live === undefined) return
  const { delta = {}, report } = live.world_state ?? {}
  const changed = { ...live, world_state: { delta, report: withManual(report, moved), state: after } }
  updateLive(tx, action.id, {
    ...liveFrom(changed),
    variants: variants.with(index, changed),
    variant_index: index,
  })
}
