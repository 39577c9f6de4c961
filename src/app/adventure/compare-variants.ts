import type { Reader } from '../../db/database.ts'
import { findNewest, getAction } from '../../db/tables/actions/list.ts'
import { getVariants } from '../../db/tables/actions/variants.ts'
import { stateOf, type VariantView } from '../../domain/variant.ts'
import { type Difference, differencesOf } from '../../domain/world/state-diff.ts'
import { variantViews } from '../turn/edit-action.ts'

/** The variants of a passage, and two of them side by side. */
export interface VariantComparison {
  actionId: number
  index: number
  variants: VariantView[]
  one: VariantView | null
  other: VariantView | null
  /** Differences between the world states after the two variants. */
  differences: Difference[]
  /** Only at the last passage. */
  switchable: boolean
}

/**
 * Compares two variants of a passage: by default the current one and the one before it. `selected` holds indexes from
 * 0. Throws not_found.
 */
export function compareVariants(
  reader: Reader,
  adventureId: number,
  actionId: number,
  selected: { one?: number | undefined; other?: number | undefined },
): VariantComparison {
  const action = getAction(reader, adventureId, actionId)
  const stored = getVariants(reader, actionId).variants
  const variants = variantViews(action, stored)
  const current = variants.findIndex(({ active }) => active)
  const other = variants[selected.other ?? current] ?? null
  const one = variants[selected.one ?? (current > 0 ? current - 1 : 1)] ?? null
  const states = stored.map(stateOf)
  const stateAt = (variant: VariantView | null) => (variant && states[variant.index]) ?? null
  return {
    actionId,
    index: action.index,
    variants,
    one,
    other,
    differences: differencesOf(stateAt(one), stateAt(other)),
    switchable: findNewest(reader, adventureId)?.id === actionId,
  }
}
