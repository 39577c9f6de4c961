import type { Reader } from '../../db/database.ts'
import { getVariants } from '../../db/tables/actions/variants.ts'
import type { LiveVariant } from '../../db/tables/actions/write.ts'
import type { AdventureWorld } from '../../db/tables/adventures.ts'
import type { Action } from '../../domain/action.ts'
import type { Variant } from '../../domain/variant.ts'
import { hasStats } from '../../domain/world/state.ts'
import { isObject } from '../../lib/objects.ts'

/**
 * All versions of the newest action. Rows of the earlier release list none until there are two: their only version is
 * made from the row.
 */
export function allVariants(reader: Reader, action: Action, world: AdventureWorld): Variant[] {
  const { variants } = getVariants(reader, action.id)
  return variants.length > 0 || action.type !== 'ai' ? variants : [implicitVariant(action, world)]
}

/** The only version of a row that lists none. The row must be the newest: its state is the current world state. */
export function implicitVariant(action: Action, world: AdventureWorld): Variant {
  const { text, reasoning, created_at, cut, roll, steering, world_delta } = action
  const variant: Variant = {
    text,
    reasoning,
    created_at,
    cut,
    ...(roll && { roll }),
    ...(steering !== null && { steering }),
  }
  if (!hasStats(world.schema)) return variant
  const { delta, ...report } = isObject(world_delta) ? world_delta : {}
  const lists = { applied: [], clamped: [], rejected: [], ...report }
  return {
    ...variant,
    world_state: { delta: isObject(delta) ? delta : {}, report: lists, state: world.state },
  }
}

/** The columns of an action that mirror its live version. */
export function liveFrom(
  variant: Variant,
): Omit<LiveVariant, 'variants' | 'variant_index' | 'context_snapshot' | 'prompt_notes'> {
  const { text, reasoning, cut, raw_output, roll, steering, timing, world_state } = variant
  const report = isObject(world_state?.report) ? world_state.report : {}
  return {
    text,
    reasoning,
    cut: cut ?? null,
    raw_output: raw_output ?? null,
    roll: roll ?? null,
    steering: steering ?? null,
    timing: timing ?? null,
    world_delta: world_state ? { delta: world_state.delta, ...report } : null,
  }
}
