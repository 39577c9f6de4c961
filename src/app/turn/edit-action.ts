import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../db/column-values.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { invalidateFrom } from '../../db/stories/invalidate.ts'
import { findNewest, getAction } from '../../db/tables/actions/list.ts'
import { getVariants } from '../../db/tables/actions/variants.ts'
import {
  deleteCut,
  updateActionText,
  updateHidden,
  updateLiveVariant,
} from '../../db/tables/actions/write.ts'
import { getWorld, updateWorldState } from '../../db/tables/adventures.ts'
import { type Action, type ActionView, actionView } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { isEndNew, stateOf, type Variant, type VariantView } from '../../domain/variant.ts'
import { reconciledState } from '../../domain/world/reconcile.ts'
import { Text } from '../../lib/text.ts'
import type { Deps } from '../deps.ts'
import { allVariants, liveFrom } from './variants.ts'

/** `variant_index` is the version that was on screen. */
export const actionEdit = () =>
  Type.Object(
    {
      text: Type.Optional(Text(LIMITS.line)),
      hidden: Type.Optional(Type.Boolean({ description: 'Whether the narrator is kept from it' })),
      variant_index: Type.Optional(Type.Integer({ minimum: 0 })),
    },
    { examples: [{ text: 'The door is not locked.' }] },
  )
type ActionEdit = Static<ReturnType<typeof actionEdit>>

/**
 * Rewrites an action and its live version together. The text is stored as given, without formatting. An edit that changes
 * nothing needs no lock, which would end a recording. Throws not_found, turn_in_progress, changed_elsewhere.
 */
export function editAction(deps: Deps, adventureId: number, actionId: number, edit: ActionEdit): ActionView {
  if (isUnchanged(getAction(deps.library.reader, adventureId, actionId), edit))
    return viewOf(deps.library.reader, adventureId, actionId)
  using _ = deps.locks.take(adventureId)
  deps.library.write((tx) => {
    const action = getAction(tx, adventureId, actionId)
    if (edit.variant_index !== undefined && edit.variant_index !== action.variant_index)
      throw new StoryError(
        'changed_elsewhere',
        'This passage now shows another version. Look at it, then edit again.',
      )
    if (edit.text !== undefined && edit.text !== action.text) rewriteAction(tx, action, edit.text)
    if (edit.hidden !== undefined && edit.hidden !== action.hidden) hideAction(tx, action, edit.hidden)
  })
  deps.idle.storyChanged(adventureId)
  return viewOf(deps.library.reader, adventureId, actionId)
}

function isUnchanged(action: Action, { text, hidden, variant_index }: ActionEdit): boolean {
  return (
    [undefined, action.text].includes(text) &&
    [undefined, action.hidden].includes(hidden) &&
    [undefined, action.variant_index].includes(variant_index)
  )
}

/** Writes a new text of an action and its live version. What was made from the old text goes stale. */
export function rewriteAction(tx: Writer, action: Action, text: string): void {
  const { variants } = getVariants(tx, action.id)
  const cut = isEndNew(action.text, text) ? null : action.cut
  invalidateFrom(tx, action.adventure_id, action.index)
  updateActionText(
    tx,
    action.id,
    text,
    variants.map((variant, i) =>
      i === action.variant_index ? { ...variant, cut, text, edited: true } : variant,
    ),
  )
  if (cut !== action.cut) deleteCut(tx, action.id)
}

/** Hides an action from the narrator, or shows it again. Memories and summaries of it go stale. */
function hideAction(tx: Writer, { id, adventure_id, index }: Action, hidden: boolean): void {
  invalidateFrom(tx, adventure_id, index)
  updateHidden(tx, id, hidden)
}

/**
 * Makes another version of the newest reply the live one, and restores the world state after it. Throws not_found,
 * no_such_variant, not_last, turn_in_progress.
 */
export function switchVariant(deps: Deps, adventureId: number, actionId: number, index: number): ActionView {
  getAction(deps.library.reader, adventureId, actionId)
  using _ = deps.locks.take(adventureId)
  deps.library.write((tx) => makeLive(tx, getAction(tx, adventureId, actionId), index))
  deps.idle.storyChanged(adventureId)
  return viewOf(deps.library.reader, adventureId, actionId)
}

/** Makes another version of the newest action the live one. Throws no_such_variant, not_last. */
export function makeLive(tx: Writer, action: Action, index: number): void {
  const { id, adventure_id } = action
  const world = getWorld(tx, adventure_id)
  const variants = allVariants(tx, action, world)
  const chosen = variants[index]
  if (chosen === undefined)
    throw new StoryError('no_such_variant', `There is no version ${index + 1} of this passage.`)
  if (!isNewest(tx, action))
    throw new StoryError(
      'not_last',
      'The story has moved on. You can only switch versions of its last passage.',
    )
  invalidateFrom(tx, adventure_id, action.index)
  const state = stateOf(chosen)
  updateLiveVariant(tx, id, { ...liveFrom(chosen), variants, variant_index: index })
  if (state) updateWorldState(tx, adventure_id, reconciledState(world.schema, state))
}

/** Oldest first. Throws not_found. */
export function listVariants(reader: Reader, adventureId: number, actionId: number): VariantView[] {
  return variantViews(getAction(reader, adventureId, actionId), getVariants(reader, actionId).variants)
}

/** The versions of an action for display. A reply without a stored list is its own only version. */
export function variantViews(action: Action, variants: readonly Variant[]): VariantView[] {
  if (variants.length === 0 && action.type === 'ai') {
    const { text, reasoning, created_at, steering } = action
    return [{ index: 0, text, reasoning, created_at, steering, rewritten: null, active: true }]
  }
  return variants.map(({ text, reasoning, created_at, steering, rewritten }, index) => ({
    index,
    text,
    reasoning,
    created_at: created_at && isoTime(created_at),
    steering: steering ?? null,
    rewritten: rewritten ?? null,
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
