import { countBelow } from '../../lib/numbers.ts'
import { isObject, objectIn } from '../../lib/objects.ts'
import type { WorldState } from '../world/state.ts'
import type { PortableAction, PortableActions, PortableAdventure } from './portable.ts'

/** Sorted. They differ from positions only in files of the earlier release, with gaps and doubles. */
type Indexes = readonly number[]

/** An adventure in which every reference to an index is replaced by a position, except in its actions. */
export function atPositions<Actions extends PortableActions>(
  adventure: PortableAdventure<Actions>,
  indexes: Indexes,
): PortableAdventure<Actions> {
  return {
    ...adventure,
    world_state: placedState(adventure.world_state, indexes),
    ...(adventure.summary
      ? { summary: { ...adventure.summary, covers: endOf(indexes, adventure.summary.covers) } }
      : {}),
    memories: adventure.memories.map((memory) => {
      const { source_start, source_end } = memory
      if (source_start === null || source_end === null) return memory
      // A memory of deleted actions ends where they were.
      const last = Math.max(0, endOf(indexes, source_end))
      return { ...memory, source_start: Math.min(countBelow(indexes, source_start), last), source_end: last }
    }),
  }
}

export function actionAtPosition(action: PortableAction, indexes: Indexes): PortableAction {
  return {
    ...action,
    world_state_before: action.world_state_before && placedState(action.world_state_before, indexes),
    variants: action.variants.map((variant) => {
      const { world_state } = variant
      if (!world_state) return variant
      return { ...variant, world_state: { ...world_state, state: placedState(world_state.state, indexes) } }
    }),
  }
}

function endOf(indexes: Indexes, index: number): number {
  return countBelow(indexes, index + 1) - 1
}

function placedState(state: WorldState, indexes: Indexes): WorldState {
  if (!isObject(state)) return state
  const meta = objectIn(state, '_meta')
  const placed = (value: unknown) => (typeof value === 'number' ? endOf(indexes, value) : value)
  const clocks = Object.entries(objectIn(meta, 'last_changed')).map(([path, at]) => [path, placed(at)])
  const goals = Object.entries(objectIn(state, 'milestones')).map(([name, goal]) => [
    name,
    isObject(goal) && 'at' in goal ? { ...goal, at: placed(goal.at) } : goal,
  ])
  return {
    ...state,
    ...('milestones' in state ? { milestones: Object.fromEntries(goals) } : {}),
    ...('_meta' in state ? { _meta: { ...meta, last_changed: Object.fromEntries(clocks) } } : {}),
  }
}
