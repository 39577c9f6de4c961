import type { Cut } from './action.ts'
import { markOf } from '../lib/hash.ts'
import type { WorldState } from './world/state.ts'

/** What an attempt did to the world. */
export interface VariantWorld {
  delta: Record<string, unknown>
  report: unknown
  state: WorldState
}

/**
 * One attempt at a narration: only what differs between attempts, and never the prompt (specification 2, "Action").
 * Old entries may lack everything but `text`; keys of the earlier release are carried along untouched.
 */
export interface Variant {
  text: string
  reasoning: string | null
  created_at: string | null
  raw_output?: string
  world_state?: VariantWorld
  cut?: Cut | null
  /** The player has rewritten it: it is not what the model wrote. */
  edited?: boolean
  /** A mark of the text as it was told. */
  told_mark?: string
  [kept: string]: unknown
}

/** An attempt as the API lists it. */
export interface VariantView {
  index: number
  text: string
  reasoning: string | null
  created_at: string | null
  active: boolean
}

/** Reads a stored entry; anything that is not one becomes an empty attempt. */
export function variantFrom(entry: unknown): Variant {
  const kept = entry !== null && typeof entry === 'object' ? (entry as Record<string, unknown>) : {}
  return {
    ...kept,
    text: typeof kept.text === 'string' ? kept.text : '',
    reasoning: typeof kept.reasoning === 'string' ? kept.reasoning : null,
    created_at: typeof kept.created_at === 'string' ? kept.created_at : null,
  }
}

/** Whether an attempt says something else than was told, by the player's hand here or in the earlier release. */
export function isRewritten({ text, edited, told_mark }: Variant): boolean {
  return edited === true || (told_mark !== undefined && told_mark !== markOf(text))
}

/** The state that an attempt left, or null when it tells none: then the live state stays as it is. */
export function stateOf(variant: Variant): WorldState | null {
  const state = variant.world_state?.state
  return state !== null && typeof state === 'object' ? state : null
}
