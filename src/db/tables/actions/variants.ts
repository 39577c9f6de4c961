import type { Action } from '../../../domain/action.ts'
import { rollFrom } from '../../../domain/checks/roll.ts'
import { StoryError } from '../../../domain/errors.ts'
import { type Variant, variantFrom } from '../../../domain/variant.ts'
import type { AuditedAction } from '../../../domain/world/audit/audit.ts'
import type { WorldState } from '../../../domain/world/state.ts'
import { parseListColumn, parseObjectColumn } from '../../column-values.ts'
import type { Reader } from '../../database.ts'
import { type ActionPosition, LAST_POSITION } from './position.ts'

interface StoredVariants {
  /** [] in rows of the earlier release that were never retried: the row itself is the only variant. */
  variants: Variant[]
  world_state_before: WorldState | null
}

/** Throws not_found. */
export function getVariants(reader: Reader, actionId: number): StoredVariants {
  const row = reader.get<{ variants: string | null; world_state_before: string | null }>(
    'SELECT variants, world_state_before FROM actions WHERE id = ?',
    actionId,
  )
  if (row === null)
    throw new StoryError('not_found', 'This passage is not in the story. It may have been undone.')
  return {
    variants: parseListColumn(row.variants).map(variantFrom),
    world_state_before: parseObjectColumn(row.world_state_before),
  }
}

/** Null if its row does not have it. */
export function findWorldBefore(reader: Reader, actionId: number): WorldState | null {
  return getVariants(reader, actionId).world_state_before
}

/** The stored deltas and rolls of the newest actions before an index, newest first. Skips actions that cannot have one. */
export function listDeltas(
  reader: Reader,
  adventureId: number,
  { limit, before = LAST_POSITION.index }: { limit: number; before?: number | undefined },
): Delta[] {
  return reader
    .all<Pick<Delta, 'id' | 'index'> & Record<'world_delta' | 'roll', string | null>>(
      `SELECT id, "index", world_delta, roll FROM actions
        WHERE adventure_id = ? AND "index" < ? AND (type = 'ai' OR world_delta IS NOT NULL)
        ORDER BY "index" DESC, id DESC LIMIT ?`,
      adventureId,
      before,
      limit,
    )
    .map((row) => ({
      ...row,
      world_delta: parseObjectColumn(row.world_delta),
      roll: rollFrom(parseObjectColumn(row.roll)),
    }))
}

type Delta = Pick<Action, 'id' | 'index' | 'world_delta' | 'roll'>

const AUDIT_CHUNK = 40

export function listForAudit(
  reader: Reader,
  adventureId: number,
  { index, id }: ActionPosition,
): AuditedAction[] {
  type AuditedRow = Record<
    'world_delta' | 'world_state_before' | 'variants' | 'roll' | 'told_mark',
    string | null
  > &
    Omit<AuditedAction, 'world_delta' | 'world_state_before' | 'variants' | 'roll'>
  const rows = reader.all<AuditedRow>(
    `SELECT id, "index", type, text, variant_index, world_delta, world_state_before, variants, roll, told_mark FROM actions
      WHERE adventure_id = ? AND ("index", id) > (?, ?) ORDER BY "index", id LIMIT ?`,
    adventureId,
    index,
    id,
    AUDIT_CHUNK,
  )
  return rows.map(({ told_mark, ...row }) => ({
    ...row,
    world_delta: parseObjectColumn(row.world_delta),
    world_state_before: parseObjectColumn(row.world_state_before),
    variants: parseListColumn(row.variants).map(variantFrom),
    roll: rollFrom(parseObjectColumn(row.roll)),
    is_elsewhere: told_mark === null,
  }))
}
