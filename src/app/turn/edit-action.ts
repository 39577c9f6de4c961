import { findNewest, getAction, getAttempts, updateLive, updateWords } from '../../db/actions.ts'
import { getWorld, updateWorldState } from '../../db/tables/adventures.ts'
import type { Reader } from '../../db/database.ts'
import { forget } from '../../db/forget.ts'
import { isoTime } from '../../db/stored.ts'
import { type Action, type ActionView, actionView } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import { stateOf, type Variant, type VariantView } from '../../domain/variant.ts'
import { fitted } from '../../domain/world/reconcile.ts'
import type { Deps } from '../deps.ts'
import { implicitAttempt, liveFrom } from '../keep-reply.ts'

/** New words for an action. `variant_index` names the attempt that was on screen. */
export interface Edit {
  text: string
  variant_index?: number
}

/**
 * Rewrites an action and its live attempt together (specification 3, "Edit message"). The words are stored as they
 * are given. Throws not_found, turn_in_progress, changed_elsewhere.
 */
export function editAction(deps: Deps, adventureId: number, actionId: number, edit: Edit): ActionView {
  getAction(deps.library.reader, adventureId, actionId)
  using _ = deps.locks.take(adventureId)
  deps.library.write((tx) => {
    const action = getAction(tx, adventureId, actionId)
    if (edit.variant_index !== undefined && edit.variant_index !== action.variant_index)
      throw new StoryError(
        'changed_elsewhere',
        'Another attempt of this passage is live now. Look at it, then edit again.',
      )
    const { variants } = getAttempts(tx, actionId)
    const { text } = edit
    forget(tx, adventureId, action.index)
    updateWords(
      tx,
      actionId,
      text,
      variants.map((variant, i) =>
        i === action.variant_index ? { ...variant, text, edited: true } : variant,
      ),
    )
  })
  return viewOf(deps.library.reader, adventureId, actionId)
}

/**
 * Makes another attempt at the newest narration the live one, with the world that it left (specification 3, "Switch
 * variant"). Throws not_found, no_such_variant, not_last, turn_in_progress.
 */
export function switchVariant(deps: Deps, adventureId: number, actionId: number, index: number): ActionView {
  getAction(deps.library.reader, adventureId, actionId)
  using _ = deps.locks.take(adventureId)
  deps.library.write((tx) => {
    const action = getAction(tx, adventureId, actionId)
    const listed = getAttempts(tx, actionId).variants
    const variants =
      listed.length > 0 || action.type !== 'ai'
        ? listed
        : [implicitAttempt(action, getWorld(tx, adventureId))]
    const chosen = variants[index]
    if (chosen === undefined)
      throw new StoryError('no_such_variant', `There is no attempt ${index + 1} of this passage.`)
    if (!isNewest(tx, action))
      throw new StoryError(
        'not_last',
        'The story has gone on from here. Only its last passage can be switched.',
      )
    forget(tx, adventureId, action.index)
    const world = getWorld(tx, adventureId)
    const state = stateOf(chosen)
    updateLive(tx, actionId, { ...liveFrom(chosen), variants, variant_index: index })
    if (state) updateWorldState(tx, adventureId, fitted(world.schema, state))
  })
  return viewOf(deps.library.reader, adventureId, actionId)
}

/** All attempts at an action, oldest first. Throws not_found. */
export function listVariants(reader: Reader, adventureId: number, actionId: number): VariantView[] {
  return variantViews(getAction(reader, adventureId, actionId), getAttempts(reader, actionId).variants)
}

/** The attempts at an action as they are listed; one that was told once is its only attempt. */
export function variantViews(action: Action, variants: readonly Variant[]): VariantView[] {
  if (variants.length === 0 && action.type === 'ai') {
    const { text, reasoning, created_at } = action
    return [{ index: 0, text, reasoning, created_at, active: true }]
  }
  return variants.map(({ text, reasoning, created_at }, index) => ({
    index,
    text,
    reasoning,
    created_at: created_at && isoTime(created_at),
    active: index === action.variant_index,
  }))
}

function viewOf(reader: Reader, adventureId: number, actionId: number): ActionView {
  const action = getAction(reader, adventureId, actionId)
  return actionView(action, isNewest(reader, action))
}

function isNewest(reader: Reader, action: Action): boolean {
  return findNewest(reader, action.adventure_id)?.id === action.id
}
