import { type Action, isPlayerLine } from '../../../domain/action.ts'
import type { Roll } from '../../../domain/checks/roll.ts'
import type { Reader, Writer } from '../../database.ts'
import { getAction } from './list.ts'
import { type ActionPosition, LAST_POSITION } from './position.ts'

/** Lines of the player that are read: more are hardly ever sent without a reply. */
const MAX_LINES = 10

export interface RolledLine extends Action {
  roll: Roll
}

/** Searched among the lines after the narration before the position. Null without a roll. */
export function findRolledLine(
  reader: Reader,
  adventureId: number,
  before: ActionPosition | null,
): RolledLine | null {
  const end = before ?? LAST_POSITION
  // Without texts: this is looked up several times in each turn.
  const rows = reader.all<{ id: number; type: string; has_roll: number }>(
    `SELECT id, type, roll IS NOT NULL AS has_roll FROM actions
      WHERE adventure_id = ? AND ("index", id) < (?, ?) ORDER BY "index" DESC, id DESC LIMIT ${MAX_LINES}`,
    adventureId,
    end.index,
    end.id,
  )
  for (const { id, type, has_roll } of rows) {
    if (!isPlayerLine(type)) return null
    const line = has_roll ? getAction(reader, adventureId, id) : null
    if (line && line.roll !== null) return { ...line, roll: line.roll }
  }
  return null
}

export function updateRoll(tx: Writer, actionId: number, roll: Roll): void {
  tx.update('actions', actionId, { roll: JSON.stringify(roll) })
}
