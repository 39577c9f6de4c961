import type { ActionType } from '../../domain/action.ts'
import type { PortableAction } from '../../domain/portable/portable.ts'
import type { Variant } from '../../domain/variant.ts'
import type { WorldState } from '../../domain/world/state.ts'

/** An action with one version, or one of the player. */
export function makeAction(
  type: ActionType,
  text: string,
  more: Partial<Omit<PortableAction, 'type' | 'text' | 'variants' | 'variant_index'>> = {},
): PortableAction {
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

/** A narration with its versions, of which there is at least one. `live` is the index of the current one. */
export function makeNarration(
  variants: readonly Variant[],
  live: number,
  more: Partial<PortableAction> = {},
): PortableAction {
  const { text = '', reasoning = null, created_at = null } = variants[live] ?? {}
  return {
    ...makeAction('ai', text, { reasoning, created_at, ...more }),
    variants: [...variants],
    variant_index: live,
  }
}

/** Makes the reply that a chat begins with its opening. */
export function openedByReply([first, ...others]: readonly PortableAction[]): PortableAction[] {
  if (first === undefined) return []
  const { type, text, created_at } = first
  return [type === 'ai' ? makeAction('start', text, { created_at }) : first, ...others]
}

/** Puts an empty opening in front of a story without one: every story begins with an action of the type `start`. */
export function withOpening(actions: readonly PortableAction[]): PortableAction[] {
  return actions[0]?.type === 'start' ? [...actions] : [makeAction('start', ''), ...actions]
}

/**
 * Gives the newest narration the current state of the story when the file has it only once, so that it comes back when the
 * player pages between versions.
 */
export function withFinalState(
  actions: readonly PortableAction[],
  state: WorldState | null,
): PortableAction[] {
  const at = actions.findLastIndex(({ type }) => type === 'ai')
  const action = actions[at]
  const live = action?.variants[action.variant_index]
  if (state === null || action === undefined || live === undefined || live.world_state) return [...actions]
  const reached = { ...live, world_state: { delta: {}, report: null, state } }
  return actions.with(at, { ...action, variants: action.variants.with(action.variant_index, reached) })
}
