import { type Action, isPlayerLine } from '../../../domain/action.ts'
import type { Roll } from '../../../domain/checks/roll.ts'
import type { Reader, Writer } from '../../database.ts'
import { listBefore } from './list.ts'
import { type ActionPosition, LAST_POSITION } from './position.ts'

/** Lines of the player that are looked through; more are hardly ever sent without a reply. */
const MAX_LINES = 20

/** A line of the player and what was thrown for it. */
export interface RolledLine extends Action {
  roll: Roll
}

/**
 * The newest line with a roll that the narration at a position replies to, or that the next one will: among the lines after
 * the narration before it. Null without a roll.
 */
export function findRolledLine(
  reader: Reader,
  adventureId: number,
  before: ActionPosition | null,
): RolledLine | null {
  for (const line of listBefore(reader, adventureId, before ?? LAST_POSITION, MAX_LINES)) {
    if (!isPlayerLine(line.type)) return null
    if (line.roll !== null) return { ...line, roll: line.roll }
  }
  return null
}

/** Stores what the dice decided about a line of the player. */
export function updateRoll(tx: Writer, actionId: number, roll: Roll): void {
  tx.update('actions', actionId, { roll: JSON.stringify(roll) })
}
