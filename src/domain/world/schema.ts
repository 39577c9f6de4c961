import { type Fault, StoryError } from '../errors.ts'
import { LARGEST } from '../../lib/numbers.ts'
import { isObject, ownValue } from '../../lib/objects.ts'
import { readRules } from './rules.ts'
import type { StatSchema } from './state.ts'

const LONGEST_NAME = 60
const LONGEST_TEXT = 4_000
const MOST_OPTIONS = 40
/** More would fill every prompt, and no page could show them. */
const MOST_COUNTED = 300
/** A name stands in paths and in the model's block: what would break either is no part of one. */
const NAME = /^(?!\s)[^.\p{Cc}"`{}[\]:=\\]+(?<!\s)$/u

type Check = (value: unknown, path: string, faults: Fault[]) => void

/**
 * What keeps a schema from being used, with the path of each fault; [] when nothing does (specification 2, "Scenario").
 * Keys that are not ours are left alone.
 */
export function faultsOf(schema: unknown): Fault[] {
  const faults: Fault[] = []
  if (schema !== null && schema !== undefined) checkSchema(schema, '', faults)
  const { stats, flags, milestones } = readRules(schema)
  if (stats.length + flags.length + milestones.length > MOST_COUNTED)
    faults.push({ path: '', message: `may count at most ${MOST_COUNTED} things` })
  return faults
}

/** Throws invalid, with every fault, when a schema cannot be used. */
export function demandSound(schema: StatSchema | null | undefined): void {
  const errors = faultsOf(schema).map(({ path, message }) => ({ path: `/stat_schema${path}`, message }))
  const [first] = errors
  if (first === undefined) return
  const more =
    errors.length > 1
      ? ` There ${errors.length === 2 ? 'is one more fault' : `are ${errors.length - 1} more faults`}.`
      : ''
  throw new StoryError(
    'invalid',
    `The stat schema cannot be used: ${first.path.slice(1)} ${first.message}.${more}`,
    { errors },
  )
}

const text: Check = (value, path, faults) => {
  if (typeof value !== 'string') faults.push({ path, message: 'must be a text' })
  else if (value.length > LONGEST_TEXT)
    faults.push({ path, message: `must have at most ${LONGEST_TEXT} characters` })
}

const yesOrNo: Check = (value, path, faults) => {
  if (typeof value !== 'boolean') faults.push({ path, message: 'must be true or false' })
}

const number: Check = (value, path, faults) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) faults.push({ path, message: 'must be a number' })
  else if (Math.abs(value) > LARGEST) faults.push({ path, message: 'must be a smaller number' })
}

const amount: Check = (value, path, faults) => {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    faults.push({ path, message: 'must be a number, 0 or more' })
}

const count =
  (least: number): Check =>
  (value, path, faults) => {
    if (!Number.isSafeInteger(value) || (value as number) < least)
      faults.push({ path, message: `must be a whole number, ${least} or more` })
  }

const kind: Check = (value, path, faults) => {
  if (value !== 'number' && value !== 'counter' && value !== 'text')
    faults.push({ path, message: 'must be number, counter or text' })
}

const bands: Check = (value, path, faults) => {
  if (!Array.isArray(value)) {
    faults.push({ path, message: 'must be a list of [from, to, label]' })
    return
  }
  for (const [i, band] of value.entries()) {
    const [low, high, label] = Array.isArray(band) ? band : []
    if (!Number.isFinite(low) || !Number.isFinite(high) || typeof label !== 'string' || low > high)
      faults.push({ path: `${path}/${i}`, message: 'must be [from, to, label], from at most to' })
  }
}

const options: Check = (value, path, faults) => {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MOST_OPTIONS
  if (!isList || !value.every((option) => typeof option === 'string' && option.trim() !== ''))
    faults.push({ path, message: `must be a list of 1 to ${MOST_OPTIONS} texts` })
}

const fields =
  (known: Record<string, Check>): Check =>
  (value, path, faults) => {
    if (!isObject(value)) {
      faults.push({ path, message: 'must be an object' })
      return
    }
    for (const [key, check] of Object.entries(known)) {
      const given = ownValue(value, key)
      // An explicit null has always meant "none".
      if (given !== undefined && given !== null) check(given, `${path}/${key}`, faults)
    }
  }

const named =
  (check: Check): Check =>
  (value, path, faults) => {
    if (!isObject(value)) {
      faults.push({ path, message: 'must be an object' })
      return
    }
    for (const [name, entry] of Object.entries(value)) {
      const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (!isName(name))
        faults.push({
          path: at,
          message: `has a name that cannot be written in a path: use up to ${LONGEST_NAME} letters, digits, spaces or _, not digits alone, and no dot`,
        })
      check(entry, at, faults)
    }
  }

const described = { desc: text, label: text }

const stat: Check = (value, path, faults) => {
  const shared = { ...described, type: kind, cooldown: count(0), hidden: yesOrNo }
  const isText = isObject(value) && ownValue(value, 'type') === 'text'
  if (isText) {
    fields({ ...shared, initial: text, max_length: count(1), options })(value, path, faults)
    return
  }
  fields({
    ...shared,
    initial: number,
    min: number,
    max: number,
    max_delta_per_turn: amount,
    max_gain_per_turn: amount,
    max_loss_per_turn: amount,
    bands,
  })(value, path, faults)
  const { min, max } = isObject(value) ? value : {}
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    faults.push({ path: `${path}/min`, message: `must not be above max (${max})` })
}

const checkSchema = fields({
  world: named(stat),
  player: named(stat),
  npcs: named(fields({ name: text, keys: text, desc: text, stats: named(stat) })),
  flags: named(fields({ ...described, initial: yesOrNo })),
  milestones: named(fields(described)),
})

// Digits alone would change their place when a file is read, and some words belong to every object.
function isName(name: string): boolean {
  return name.length <= LONGEST_NAME && NAME.test(name) && !/^\d+$/.test(name) && name !== '__proto__'
}
