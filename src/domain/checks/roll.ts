import { type Static, Type } from '@sinclair/typebox'
import { roundedNumber, sumOf } from '../../lib/numbers.ts'
import { isObject } from '../../lib/objects.ts'
import { nullable } from '../../lib/typebox.ts'
import { type Rules, readRules } from '../world/rules.ts'
import { liveNumber, type StatSchema, type WorldState } from '../world/state.ts'
import { type Check, DICE, type Difficulty, type Effects, isDice, isEffect, readChecks } from './check.ts'

const changes = (description: string) =>
  Type.Unsafe<Effects>(Type.Record(Type.String(), Type.Unknown(), { description }))

/** Result of the dice for one line of the player. It never changes, whatever the narrator writes. */
export const Roll = Type.Object({
  check: Type.String({ description: 'The name of the check' }),
  difficulty: Type.String(),
  against: Type.Number({ description: 'What the total had to reach' }),
  dice: Type.String({ description: '“1d20”, “2d6”, “3d6” or “1d100”' }),
  thrown: Type.Array(Type.Integer(), { description: 'What each of the dice shows' }),
  stat: nullable(Type.String({ description: 'The path of the stat that was added' })),
  bonus: Type.Number({ description: 'The value of that stat' }),
  total: Type.Number(),
  outcome: Type.String({ description: 'The degree of outcome, as the author named it' }),
  effects: changes('What the outcome changes, by path'),
  rerolls: Type.Integer({ description: 'How often it was thrown again' }),
  price: changes('What each of these throws cost, by path'),
  schema: Type.String({ description: 'The hash of the stat schema that declared the check' }),
  called_by: Type.Optional(Type.String({ description: 'The story card that called for it' })),
})
export type Roll = Static<typeof Roll>

interface Throw {
  check: Check
  difficulty: Difficulty
  thrown: number[]
  bonus: number
  schema: string
}

/** Resolves a throw: the highest outcome whose bound the total reaches. */
export function resolve({ check, difficulty, thrown, bonus, schema }: Throw): Roll {
  const total = roundedNumber(bonus + sumOf(thrown))
  const margin = roundedNumber(total - difficulty.number)
  const outcome = check.outcomes.findLast(({ from }) => from === null || margin >= from) ?? check.outcomes[0]
  return {
    check: check.name,
    difficulty: difficulty.name,
    against: difficulty.number,
    dice: check.dice,
    thrown,
    stat: check.stat,
    bonus,
    total,
    outcome: outcome.name,
    effects: outcome.effects,
    rerolls: 0,
    price: {},
    schema,
  }
}

export function bonusOf({ stat: path }: Pick<Check, 'stat'>, { stats }: Rules, state: WorldState): number {
  const stat = stats.find((one) => one.path === path)
  return stat === undefined || stat.kind === 'text' ? 0 : liveNumber(state, stat)
}

/** The difficulty that was asked for. Null for one that the check does not have; without one it is the first. */
export function difficultyOf(check: Check, name: string | undefined): Difficulty | null {
  const [first] = check.difficulties
  if (name === undefined || !check.player_picks_difficulty) return first
  return check.difficulties.find((one) => one.name === name) ?? null
}

/** True if the dice are possible, and the total is their sum. */
export function isPossible({ dice, thrown, bonus, total }: Roll): boolean {
  if (!isDice(dice)) return false
  const { count, sides } = DICE[dice]
  const areFaces = thrown.every((face) => Number.isInteger(face) && face >= 1 && face <= sides)
  return thrown.length === count && areFaces && total === roundedNumber(bonus + sumOf(thrown))
}

const MAX_EFFECTS = 40
const MAX_WORDS = 200
const MAX_THROWN = 10

/** A stored or imported roll; null for anything else. The audit checks whether it is consistent. */
export function rollFrom(value: unknown): Roll | null {
  if (!isObject(value)) return null
  const { check, difficulty, outcome, schema, dice, stat, thrown, against, bonus, total, rerolls } = value
  const areTexts = [check, difficulty, outcome, schema, dice].every(isWords)
  const areNumbers = [against, bonus, total].every(Number.isFinite)
  const isThrown = Array.isArray(thrown) && thrown.length <= MAX_THROWN && thrown.every(Number.isSafeInteger)
  const isRest = (stat === null || isWords(stat)) && Number.isSafeInteger(rerolls)
  if (!areTexts || !areNumbers || !isThrown || !isRest) return null
  if (!areEffects(value.effects) || !areEffects(value.price)) return null
  const names = Object.keys(Roll.properties).filter((name) => name !== 'called_by' || isWords(value[name]))
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Roll
}

function areEffects(value: unknown): value is Effects {
  if (!isObject(value)) return false
  const entries = Object.entries(value)
  return entries.length <= MAX_EFFECTS && entries.every(([path, to]) => isWords(path) && isEffect(to))
}

function isWords(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_WORDS
}

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
