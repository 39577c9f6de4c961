import { isObject, objectIn } from '../../lib/objects.ts'
import type { WorldState } from '../world/state.ts'
import type { PortableAdventure } from './portable.ts'

/**
 * An adventure whose actions had these indexes, with everything that names an index naming the place in the list
 * instead. They differ only in files of the earlier release, which left gaps and used an index twice.
 */
export function withIndexesFrom(adventure: PortableAdventure, indexes: readonly number[]): PortableAdventure {
  if (indexes.every((index, place) => index === place)) return adventure
  /** The place at which an index begins, or would. */
  const start = (index: number) => countBelow(indexes, index)
  /** The last place that is not behind an index. */
  const end = (index: number) => countBelow(indexes, index + 1) - 1
  const world = (state: WorldState) => placedState(state, end)
  return {
    ...adventure,
    world_state: world(adventure.world_state),
    ...(adventure.summary
      ? { summary: { ...adventure.summary, covers: end(adventure.summary.covers) } }
      : {}),
    memories: adventure.memories.map((memory) => {
      const { source_start, source_end } = memory
      if (source_start === null || source_end === null) return memory
      // What a memory of actions that are gone tells of ends where they stood.
      const last = Math.max(0, end(source_end))
      return { ...memory, source_start: Math.min(start(source_start), last), source_end: last }
    }),
    actions: adventure.actions.map((action) => ({
      ...action,
      world_state_before: action.world_state_before && world(action.world_state_before),
      variants: action.variants.map((variant) =>
        variant.world_state
          ? { ...variant, world_state: { ...variant.world_state, state: world(variant.world_state.state) } }
          : variant,
      ),
    })),
  }
}

// The indexes are sorted.
function countBelow(indexes: readonly number[], index: number): number {
  let [low, high] = [0, indexes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((indexes[middle] ?? 0) < index) low = middle + 1
    else high = middle
  }
  return low
}

/** A state with its cooldown clocks and its milestones told by places. */
function placedState(state: WorldState, place: (index: number) => number): WorldState {
  if (!isObject(state)) return state
  const meta = objectIn(state, '_meta')
  const clocks = Object.entries(objectIn(meta, 'last_changed')).map(([path, at]) => [
    path,
    placedNumber(at, place),
  ])
  const goals = Object.entries(objectIn(state, 'milestones')).map(([name, goal]) => [
    name,
    isObject(goal) && 'at' in goal ? { ...goal, at: placedNumber(goal.at, place) } : goal,
  ])
  return {
    ...state,
    ...('milestones' in state ? { milestones: Object.fromEntries(goals) } : {}),
    ...('_meta' in state ? { _meta: { ...meta, last_changed: Object.fromEntries(clocks) } } : {}),
  }
}

function placedNumber(value: unknown, place: (index: number) => number): unknown {
  return typeof value === 'number' ? place(value) : value
}
