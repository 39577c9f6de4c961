import type { Reader, Writer } from '../../db/database.ts'
import { findNewest } from '../../db/tables/actions/list.ts'
import { findRolledLine, type RolledLine, updateRoll } from '../../db/tables/actions/rolls.ts'
import { findWorldBefore, getVariants } from '../../db/tables/actions/variants.ts'
import { getWorld } from '../../db/tables/adventures.ts'
import { deleteInterrupted } from '../../db/tables/waiting-lines.ts'
import { canPay } from '../../domain/checks/apply-roll.ts'
import { type Effects, readChecks } from '../../domain/checks/check.ts'
import { StoryError } from '../../domain/errors.ts'
import { type FoundCheck, rollFor } from './try-check.ts'

/** The cost of another roll for the newest turn, and whether the story has that. */
export interface RerollOffer {
  price: Effects
  canPay: boolean
}

interface Reroll extends RerollOffer {
  line: RolledLine
  found: FoundCheck
}

/** Null where the newest turn has no roll, or its author does not allow another. */
export function findReroll(reader: Reader, adventureId: number): Reroll | null {
  const newest = findNewest(reader, adventureId)
  const retried = newest?.type === 'ai' ? newest : null
  const line = findRolledLine(reader, adventureId, retried)
  const { schema, state } = getWorld(reader, adventureId)
  const check = readChecks(schema).find(({ name }) => name === line?.roll.check)
  const difficulty = check?.difficulties.find(({ name }) => name === line?.roll.difficulty)
  const price = check?.reroll ?? null
  if (!line || !check || !difficulty || price === null) return null
  const before = retried ? (getVariants(reader, retried.id).world_state_before ?? state) : state
  const isPayable = canPay(schema, before, { price, rerolls: line.roll.rerolls })
  return { line, found: { check, difficulty }, price, canPay: isPayable }
}

/** Throws no_roll where the newest turn cannot be rolled again. */
export function getReroll(reader: Reader, adventureId: number): Reroll {
  const reroll = findReroll(reader, adventureId)
  if (reroll === null)
    throw new StoryError(
      'no_roll',
      'The last turn has no roll that may be repeated. A retry tells the same outcome again.',
    )
  if (reroll.canPay) return reroll
  throw new StoryError('no_roll', 'Rolling again costs more than you have left.')
}

/** Throws the dice of the newest turn again, and stores what they show before the model is asked. */
export function rollAgain(tx: Writer, adventureId: number): void {
  const { line, found, price } = getReroll(tx, adventureId)
  const world = getWorld(tx, adventureId)
  const roll = rollFor(world, found, findWorldBefore(tx, line.id) ?? world.state)
  deleteInterrupted(tx, adventureId)
  const { rerolls, called_by } = line.roll
  const called = called_by === undefined ? {} : { called_by }
  updateRoll(tx, line.id, { ...roll, ...called, price, rerolls: rerolls + 1 })
}
