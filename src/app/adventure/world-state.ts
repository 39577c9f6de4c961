import { type Static, Type } from '@sinclair/typebox'
import type { Writer } from '../../db/database.ts'
import { findNewest } from '../../db/tables/actions/list.ts'
import { getVariants } from '../../db/tables/actions/variants.ts'
import { updateLiveVariant, updateWorldDelta } from '../../db/tables/actions/write.ts'
import {
  type AdventureWorld,
  getAdventure,
  getWorld,
  pinSchema,
  updateWorldState,
} from '../../db/tables/adventures.ts'
import type { Action } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import { RecordedVerdict, verdictsToShow, withManual } from '../../domain/world/delta-report.ts'
import { applyManualChange } from '../../domain/world/manual-change.ts'
import type { Verdict } from '../../domain/world/referee.ts'
import { hasStats, type WorldState } from '../../domain/world/state.ts'
import type { Deps } from '../deps.ts'
import { implicitVariant, liveFrom } from '../turn/variants.ts'

const Change = Type.Object({ path: Type.String(), old: Type.Unknown(), new: Type.Unknown() })

export const ManualChangeResult = Type.Object({
  state: Type.Record(Type.String(), Type.Unknown()),
  report: Type.Object({
    applied: Type.Array(Change),
    clamped: Type.Array(Change, { description: 'Those of them that were limited' }),
    rejected: Type.Array(Type.Object({ path: Type.String(), reason: Type.String() })),
    verdicts: Type.Array(RecordedVerdict),
  }),
})

type ManualChangeResult = Static<typeof ManualChangeResult>

/**
 * Sets values that the player edited. They belong to the current variant: switching back to it restores them, and a new
 * variant starts without them. Throws not_found, no_world_state, turn_in_progress.
 */
export function changeWorldState(
  deps: Deps,
  adventureId: number,
  values: Record<string, unknown>,
): ManualChangeResult {
  getAdventure(deps.library.reader, adventureId)
  using _ = deps.locks.take(adventureId)
  return deps.library.write((tx) => {
    const world = getWorld(tx, adventureId)
    const { schema } = world
    if (!hasStats(schema)) throw new StoryError('no_world_state', 'This story has no stats.')
    const { after, verdicts } = applyManualChange(schema, world.state, values)
    const changes = verdicts.filter(({ verdict }) => verdict === 'manual')
    if (changes.length > 0) saveEdit(tx, adventureId, { world, after, changes })
    return { state: after, report: { ...verdictsToShow(verdicts), verdicts } }
  })
}

interface WorldEdit {
  /** The world before the edit. */
  world: AdventureWorld
  after: WorldState
  changes: Verdict[]
}

function saveEdit(tx: Writer, adventureId: number, edit: WorldEdit): void {
  const { world, after, changes } = edit
  const newest = findNewest(tx, adventureId)
  if (newest?.type === 'ai') saveWithVariant(tx, newest, edit)
  else if (newest) updateWorldDelta(tx, newest.id, withManual(newest.world_delta, changes))
  updateWorldState(tx, adventureId, after)
  if (!world.pinned) pinSchema(tx, adventureId, world.schema)
}

function saveWithVariant(tx: Writer, action: Action, { world, after, changes }: WorldEdit): void {
  const stored = getVariants(tx, action.id).variants
  const variants = stored.length > 0 ? stored : [implicitVariant(action, world)]
  const index = action.variant_index
  const current = variants[index]
  if (current === undefined) return
  const { delta = {}, report } = current.world_state ?? {}
  const changed = { ...current, world_state: { delta, report: withManual(report, changes), state: after } }
  updateLiveVariant(tx, action.id, {
    ...liveFrom(changed),
    variants: variants.with(index, changed),
    variant_index: index,
  })
}
