import type { ActionType } from '../../action.ts'
import type { Variant } from '../../variant.ts'
import type { WorldState } from '../../world/state.ts'
import type { CarriedAction } from '../../portable/portable.ts'

/** Passages of one story in a file. */
export const MOST_PASSAGES = 100_000

/** A passage that was told once, or a player's line. */
export function passage(
  type: ActionType,
  text: string,
  more: Partial<Omit<CarriedAction, 'type' | 'text' | 'variants' | 'variant_index'>> = {},
): CarriedAction {
  const { reasoning = null, created_at = null } = more
  return {
    type,
    text,
    reasoning,
    variants: type === 'ai' ? [{ text, reasoning, created_at }] : [],
    variant_index: 0,
    cut: null,
    world_delta: null,
    world_state_before: null,
    created_at,
    ...more,
  }
}

/** A narration with all its attempts; there is at least one, and `live` names one of them. */
export function narration(
  variants: readonly Variant[],
  live: number,
  more: Partial<CarriedAction> = {},
): CarriedAction {
  const { text = '', reasoning = null, created_at = null } = variants[live] ?? {}
  return {
    ...passage('ai', text, { reasoning, created_at, ...more }),
    variants: [...variants],
    variant_index: live,
  }
}

/** A story begins with its opening, if need be with an empty one (specification 2, "Action"). */
export function withOpening(actions: readonly CarriedAction[]): CarriedAction[] {
  return actions[0]?.type === 'start' ? [...actions] : [passage('start', ''), ...actions]
}

/**
 * Gives the newest narration the state that the story has reached, where the file tells it only of the whole: so it comes
 * back when the player pages between attempts.
 */
export function withStateReached(
  actions: readonly CarriedAction[],
  state: WorldState | null,
): CarriedAction[] {
  const at = actions.findLastIndex(({ type }) => type === 'ai')
  const told = actions[at]
  const live = told?.variants[told.variant_index]
  if (state === null || told === undefined || live === undefined || live.world_state) return [...actions]
  const reached = { ...live, world_state: { delta: {}, report: null, state } }
  return actions.with(at, { ...told, variants: told.variants.with(told.variant_index, reached) })
}
