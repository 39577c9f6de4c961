import { isObject, objectIn, ownValue } from '../../lib/objects.ts'

/** Limits of the number of dice, and of their sides. */
export const DICE = {
  '1d20': { count: 1, sides: 20 },
  '2d6': { count: 2, sides: 6 },
  '3d6': { count: 3, sides: 6 },
  '1d100': { count: 1, sides: 100 },
} as const

export type Dice = keyof typeof DICE

/** Changes of the world, from path to value, in the form of a delta: an amount for a number, else a new value. */
export type Effects = Record<string, number | string | boolean>

export interface Difficulty {
  name: string
  number: number
}

/** An outcome of a check: the total exceeds the difficulty by at least `from`. */
interface Outcome {
  name: string
  /** Null for the lowest, which has no bound. */
  from: number | null
  effects: Effects
}

export interface Check {
  name: string
  dice: Dice
  /** The path of the number that is added; null for none. */
  stat: string | null
  difficulties: [Difficulty, ...Difficulty[]]
  player_picks_difficulty: boolean
  /** From the lowest to the highest. */
  outcomes: [Outcome, ...Outcome[]]
  /** The price of another roll; null if the author does not allow one. */
  reroll: Effects | null
}

const PLAIN_OUTCOMES: Check['outcomes'] = [
  { name: 'failure', from: null, effects: {} },
  { name: 'success', from: 0, effects: {} },
]

/** Leaves out what is not valid. */
export function readChecks(schema: unknown): Check[] {
  return Object.entries(objectIn(schema, 'checks')).flatMap(([name, definition]) =>
    isObject(definition) ? (readCheck(name, definition) ?? []) : [],
  )
}

export function isDice(value: unknown): value is Dice {
  return typeof value === 'string' && Object.hasOwn(DICE, value)
}

function readCheck(name: string, definition: Record<string, unknown>): Check | null {
  const [dice, stat] = [ownValue(definition, 'dice'), ownValue(definition, 'stat')]
  const [first, ...more] = listIn(definition, 'difficulties').flatMap(readDifficulty)
  if (!isDice(dice) || first === undefined) return null
  const [lowest, ...higher] = listIn(definition, 'outcomes').flatMap(readOutcome).sort(byBound)
  const reroll = ownValue(definition, 'reroll')
  return {
    name,
    dice,
    stat: typeof stat === 'string' && stat !== '' ? stat : null,
    difficulties: [first, ...more],
    player_picks_difficulty: ownValue(definition, 'player_picks_difficulty') === true,
    outcomes: lowest === undefined ? PLAIN_OUTCOMES : [lowest, ...higher],
    reroll: isObject(reroll) ? readEffects(reroll) : null,
  }
}

function readDifficulty(entry: unknown): Difficulty[] {
  const [name, number] = [objectText(entry, 'name'), objectNumber(entry, 'number')]
  return name === null || number === null ? [] : [{ name, number }]
}

function readOutcome(entry: unknown): Outcome[] {
  const name = objectText(entry, 'name')
  if (name === null) return []
  return [{ name, from: objectNumber(entry, 'from'), effects: readEffects(objectIn(entry, 'effects')) }]
}

/** Leaves out invalid effects. */
function readEffects(effects: Record<string, unknown>): Effects {
  return Object.fromEntries(
    Object.entries(effects).filter((entry): entry is [string, Effects[string]] => isEffect(entry[1])),
  )
}

export function isEffect(value: unknown): value is Effects[string] {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

function byBound(one: Outcome, other: Outcome): number {
  return (one.from ?? Number.NEGATIVE_INFINITY) < (other.from ?? Number.NEGATIVE_INFINITY) ? -1 : 1
}

function listIn(definition: Record<string, unknown>, key: string): unknown[] {
  const list = ownValue(definition, key)
  return Array.isArray(list) ? list : []
}

function objectText(entry: unknown, key: string): string | null {
  const value = isObject(entry) ? ownValue(entry, key) : null
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

function objectNumber(entry: unknown, key: string): number | null {
  const value = isObject(entry) ? ownValue(entry, key) : null
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
