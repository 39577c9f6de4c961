import type { Reader } from '../../db/database.ts'
import { findNewest, getAction } from '../../db/tables/actions/list.ts'
import { getVariants } from '../../db/tables/actions/variants.ts'
import { stateOf, type VariantView } from '../../domain/variant.ts'
import { type Difference, differencesOf } from '../../domain/world/state-diff.ts'
import { variantViews } from '../turn/edit-action.ts'

/** The attempts at a passage, and two of them side by side. */
export interface AttemptComparison {
  actionId: number
  /** Index of the passage. */
  index: number
  attempts: VariantView[]
  one: VariantView | null
  other: VariantView | null
  /** How the world states after the two attempts differ. */
  differences: Difference[]
  /** Whether the player can switch to another attempt: only at the last passage. */
  switchable: boolean
}

/**
 * Compares two attempts at a passage: by default the current one and the one before it. `selected` holds indexes from
 * 0. Throws not_found.
 */
export function compareAttempts(
  reader: Reader,
  adventureId: number,
  actionId: number,
  selected: { one?: number | undefined; other?: number | undefined },
): AttemptComparison {
  const action = getAction(reader, adventureId, actionId)
  const { variants } = getVariants(reader, actionId)
  const attempts = variantViews(action, variants)
  const current = attempts.findIndex(({ active }) => active)
  const other = attempts[selected.other ?? current] ?? null
  const one = attempts[selected.one ?? (current > 0 ? current - 1 : 1)] ?? null
  const states = variants.map(stateOf)
  const stateAt = (attempt: VariantView | null) => (attempt && states[attempt.index]) ?? null
  return {
    actionId,
    index: action.index,
    attempts,
    one,
    other,
    differences: differencesOf(stateAt(one), stateAt(other)),
    switchable: findNewest(reader, adventureId)?.id === actionId,
  }
}
