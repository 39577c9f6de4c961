import { readRules } from '../world/rules.ts'
import type { StatSchema, WorldState } from '../world/state.ts'
import { readChecks } from './check.ts'
import { bonusOf, isPossible, type Roll, resolve } from './roll.ts'

interface MarkedSchema {
  schema: StatSchema
  mark: string
}

/**
 * Inconsistency of a roll; '' for none. Under the schema that declared its check, the roll is resolved again from
 * the dice; `before` is the state at that moment, null if unknown.
 */
export function rollFault({ schema, mark }: MarkedSchema, roll: Roll, before: WorldState | null): string {
  if (!isPossible(roll)) return 'shows dice that cannot have been thrown'
  if (roll.schema !== mark) return ''
  const check = readChecks(schema).find(({ name }) => name === roll.check)
  const difficulty = check?.difficulties.find(({ name }) => name === roll.difficulty)
  if (!check || !difficulty) return 'tells a check that its schema does not have'
  const bonus = before === null ? roll.bonus : bonusOf(check, readRules(schema), before)
  const again = resolve({ check, difficulty, thrown: roll.thrown, bonus, schema: mark })
  const price = roll.rerolls > 0 ? (check.reroll ?? {}) : {}
  const called = roll.called_by === undefined ? {} : { called_by: roll.called_by }
  return isSame({ ...again, ...called, rerolls: roll.rerolls, price }, roll)
    ? ''
    : 'has a roll that would come out differently'
}

/** Inconsistency between the roll that a version tells and the roll of its line; '' for none. */
export function toldFault(told: Roll, thrown: Roll | null): string {
  if (thrown === null) return 'tells a roll that its line does not have'
  const isEarlier =
    told.rerolls < thrown.rerolls && told.check === thrown.check && told.bonus === thrown.bonus
  return isEarlier || isSame(told, thrown) ? '' : 'tells another roll than was thrown'
}

function isSame(one: Roll, other: Roll): boolean {
  const parts = (roll: Roll) => Object.entries(roll).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(parts(one)) === JSON.stringify(parts(other))
}
