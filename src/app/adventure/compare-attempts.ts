import { findNewest, getAction, getAttempts } from '../../db/actions.ts'
import type { Reader } from '../../db/database.ts'
import { stateOf, type VariantView } from '../../domain/variant.ts'
import { type Difference, differencesOf } from '../../domain/world/difference.ts'
import { variantViews } from '../turn/edit-action.ts'

/** The attempts at a passage, two of them beside each other. */
export interface ComparedAttempts {
  actionId: number
  /** Index of the passage. */
  index: number
  attempts: VariantView[]
  one: VariantView | null
  other: VariantView | null
  /** In what the worlds differ that the two attempts left. */
  differences: Difference[]
  /** Whether another attempt may be made the live one: the passage ends the story. */
  switchable: boolean
}

/**
 * The attempts at a passage, two of them compared: by default the live one and the one before it. Numbers count from 0.
 * Throws not_found.
 */
export function comparedAttempts(
  reader: Reader,
  adventureId: number,
  actionId: number,
  wanted: { one?: number | undefined; other?: number | undefined },
): ComparedAttempts {
  const action = getAction(reader, adventureId, actionId)
  const { variants } = getAttempts(reader, actionId)
  const attempts = variantViews(action, variants)
  const live = attempts.findIndex(({ active }) => active)
  const other = attempts[wanted.other ?? live] ?? null
  const one = attempts[wanted.one ?? (live > 0 ? live - 1 : 1)] ?? null
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
