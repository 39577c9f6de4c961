import type { ActionType, Cut } from '../../../domain/action.ts'
import type { Roll } from '../../../domain/checks/roll.ts'
import type { TimingRecord } from '../../../domain/timing/record.ts'
import type { Variant } from '../../../domain/variant.ts'
import type { WorldState } from '../../../domain/world/state.ts'
import { hashOf } from '../../../lib/hash.ts'
import type { ColumnValue } from '../../column-values.ts'
import { storedTime } from '../../column-values.ts'
import type { Writer } from '../../database.ts'
import { indexForSearch, unindexForSearch } from '../../search/story-index.ts'

interface NewAction {
  adventure_id: number
  index: number
  type: ActionType
  text: string
  world_state_before: WorldState | null
  roll?: Roll | null
}

/** Updates the story's count, too. Returns the id. */
export function insertAction(tx: Writer, action: NewAction, now: Date): number {
  return insertCounted(
    tx,
    action,
    {
      text: action.text,
      variant_count: 0,
      variant_index: 0,
      told_mark: hashOf(action.text),
      roll: action.roll ? JSON.stringify(action.roll) : null,
    },
    now,
  )
}

/** Updates the story's count, too. Returns the id. */
export function insertReply(
  tx: Writer,
  action: Omit<NewAction, 'type' | 'text' | 'roll'>,
  live: LiveVariant,
  now: Date,
): number {
  return insertCounted(tx, { ...action, type: 'ai' }, liveRow(live), now)
}

function insertCounted(
  tx: Writer,
  { adventure_id, index, type, world_state_before }: Omit<NewAction, 'text'>,
  row: Record<string, ColumnValue>,
  now: Date,
): number {
  tx.run(
    'UPDATE adventures SET action_count = action_count + 1, updated_at = ? WHERE id = ?',
    storedTime(now),
    adventure_id,
  )
  const id = tx.insert('actions', {
    ...{ adventure_id, index, type, ...row },
    world_state_before: world_state_before && JSON.stringify(world_state_before),
    created_at: storedTime(now),
  })
  indexForSearch(tx, 'action', id)
  return id
}

export interface LiveVariant {
  text: string
  reasoning: string | null
  cut: Cut | null
  raw_output: string | null
  world_delta: unknown
  roll?: Roll | null
  steering: string | null
  timing: TimingRecord | null
  variants: Variant[]
  variant_index: number
  context_snapshot?: Uint8Array
  prompt_notes?: string
}

/** Writes the list, its count and all mirrored columns together. */
export function updateLiveVariant(tx: Writer, actionId: number, live: LiveVariant): void {
  tx.update('actions', actionId, { ...liveRow(live), variants: JSON.stringify(live.variants) })
  indexForSearch(tx, 'action', actionId)
}

function liveRow({
  variants,
  world_delta,
  roll,
  timing,
  ...mirrored
}: LiveVariant): Record<string, ColumnValue> {
  return {
    ...mirrored,
    told_mark: hashOf(mirrored.text),
    world_delta: world_delta == null ? null : JSON.stringify(world_delta),
    roll: roll ? JSON.stringify(roll) : null,
    timing: timing ? JSON.stringify(timing) : null,
    variants: variants.length === 0 ? null : JSON.stringify(variants),
    variant_count: variants.length,
  }
}

/** If the list of variants is empty, the action itself is the only one. */
export interface WholeAction extends Pick<NewAction, 'type' | 'world_state_before'> {
  hidden: boolean
  live: LiveVariant
  /** Null means now. */
  created_at: Date | null
}

export interface ActionPlace {
  adventure_id: number
  index: number
  id?: number
}

/** Returns the id. The action is neither counted nor in the search index yet. */
export function insertWholeAction(
  tx: Writer,
  place: ActionPlace,
  { type, world_state_before, live, hidden, created_at }: WholeAction,
  now: Date,
): number {
  return tx.insert('actions', {
    ...liveRow(live),
    ...place,
    type,
    hidden,
    world_state_before: world_state_before && JSON.stringify(world_state_before),
    created_at: storedTime(created_at ?? now),
  })
}

export function updateActionText(tx: Writer, actionId: number, text: string, variants: Variant[]): void {
  tx.update('actions', actionId, {
    text,
    told_mark: hashOf(text),
    ...(variants.length > 0 ? { variants: JSON.stringify(variants) } : {}),
  })
  indexForSearch(tx, 'action', actionId)
}

export function deleteCut(tx: Writer, actionId: number): void {
  tx.update('actions', actionId, { cut: null })
}

export function updateHidden(tx: Writer, actionId: number, hidden: boolean): void {
  tx.update('actions', actionId, { hidden })
}

export function updateWorldBefore(tx: Writer, actionId: number, state: WorldState): void {
  tx.update('actions', actionId, { world_state_before: JSON.stringify(state) })
}

export function updateWorldDelta(tx: Writer, actionId: number, worldDelta: unknown): void {
  tx.update('actions', actionId, { world_delta: JSON.stringify(worldDelta) })
}

export function deleteActions(tx: Writer, adventureId: number, ids: number[], now: Date): void {
  for (const id of ids) {
    tx.run('DELETE FROM actions WHERE id = ?', id)
    unindexForSearch(tx, 'action', id)
  }
  tx.run(
    'UPDATE adventures SET action_count = max(0, action_count - ?), updated_at = ? WHERE id = ?',
    ids.length,
    storedTime(now),
    adventureId,
  )
}
