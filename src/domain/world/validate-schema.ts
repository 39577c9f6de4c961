import { sizeOfJson, toPointerToken } from '../../lib/json.ts'
import { LARGEST_NUMBER } from '../../lib/numbers.ts'
import { isObject, ownValue } from '../../lib/objects.ts'
import { checkErrors } from '../checks/check-errors.ts'
import { type FieldError, StoryError } from '../errors.ts'
import { readRules } from './rules.ts'
import type { StatSchema } from './state.ts'

const MAX_NAME = 60
const MAX_TEXT = 4_000
const MAX_OPTIONS = 40
const MAX_OPTION = 1_000
/** More would fill every prompt, and no page could show them. */
const MAX_ENTRIES = 300
const MAX_NPCS = 100
const MAX_BANDS = 50
/** JSON values and characters of a whole schema, with all names, bands and options, known or not. */
const MAX_SCHEMA_VALUES = 10_000
const MAX_SCHEMA_LENGTH = 200_000
/** Names appear in paths and in the model's block, so characters that would break either are excluded. */
const NAME = /^(?!\s)[^.\p{Cc}"`{}[\]:=\\]+(?<!\s)$/u

type Check = (value: unknown, path: string, errors: FieldError[]) => void

/** The errors of a schema, with their paths; [] if it is valid. Ignores unknown keys. */
export function schemaErrors(schema: unknown): FieldError[] {
  const errors: FieldError[] = []
  if (isTooLarge(schema))
    return [
      {
        path: '',
        message: `may have at most ${MAX_SCHEMA_VALUES} values and ${MAX_SCHEMA_LENGTH} characters in all`,
      },
    ]
  if (schema !== null && schema !== undefined) checkSchema(schema, '', errors)
  const rules = readRules(schema)
  const { stats, flags, milestones } = rules
  errors.push(...checkErrors(schema, rules))
  if (stats.length + flags.length + milestones.length > MAX_ENTRIES)
    errors.push({ path: '', message: `may have at most ${MAX_ENTRIES} stats, flags and milestones` })
  return errors
}

/** True for a schema that cannot be stored, even as a draft. */
export function isTooLarge(schema: unknown): boolean {
  const text = JSON.stringify(schema ?? null)
  return text.length > MAX_SCHEMA_LENGTH || sizeOfJson(text).values > MAX_SCHEMA_VALUES
}

/** Throws invalid, with all errors, if a schema is not valid. */
export function assertValidSchema(schema: StatSchema | null | undefined): void {
  const errors = schemaErrors(schema).map(({ path, message }) => ({ path: `/stat_schema${path}`, message }))
  const [first] = errors
  if (first === undefined) return
  const more =
    errors.length > 1
      ? ` There ${errors.length === 2 ? 'is one more error' : `are ${errors.length - 1} more errors`}.`
      : ''
  throw new StoryError(
    'invalid',
    `The stat schema is not valid: ${first.path.slice(1)} ${first.message}.${more}`,
    { errors },
  )
}

const text: Check = (value, path, errors) => {
  if (typeof value !== 'string') errors.push({ path, message: 'must be text' })
  else if (value.length > MAX_TEXT) errors.push({ path, message: `must have at most ${MAX_TEXT} characters` })
}

const boolean: Check = (value, path, errors) => {
  if (typeof value !== 'boolean') errors.push({ path, message: 'must be true or false' })
}

const number: Check = (value, path, errors) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) errors.push({ path, message: 'must be a number' })
  else if (Math.abs(value) > LARGEST_NUMBER) errors.push({ path, message: 'must be a smaller number' })
}

const amount: Check = (value, path, errors) => {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    errors.push({ path, message: 'must be a number, 0 or more' })
}

const count =
  (least: number): Check =>
  (value, path, errors) => {
    if (!Number.isSafeInteger(value) || (value as number) < least)
      errors.push({ path, message: `must be a whole number, ${least} or more` })
  }

const kind: Check = (value, path, errors) => {
  if (value !== 'number' && value !== 'counter' && value !== 'text')
    errors.push({ path, message: 'must be number, counter or text' })
}

const bands: Check = (value, path, errors) => {
  if (!Array.isArray(value)) {
    errors.push({ path, message: 'must be a list of [from, to, label]' })
    return
  }
  if (value.length > MAX_BANDS) {
    errors.push({ path, message: `may have at most ${MAX_BANDS} bands` })
    return
  }
  for (const [i, band] of value.entries()) {
    const [low, high, label] = Array.isArray(band) ? band : []
    if (!Number.isFinite(low) || !Number.isFinite(high) || typeof label !== 'string' || low > high)
      errors.push({
        path: `${path}/${i}`,
        message: 'must be [from, to, label], with “from” no greater than “to”',
      })
  }
}

const options: Check = (value, path, errors) => {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_OPTIONS
  if (!isList || !value.every((option) => typeof option === 'string' && option.trim() !== ''))
    errors.push({ path, message: `must be a list of 1 to ${MAX_OPTIONS} texts` })
  else if (value.some((option) => option.length > MAX_OPTION))
    errors.push({ path, message: `may have options of at most ${MAX_OPTION} characters` })
}

const fields =
  (known: Record<string, Check>): Check =>
  (value, path, errors) => {
    if (!isObject(value)) {
      errors.push({ path, message: 'must be an object' })
      return
    }
    for (const [key, check] of Object.entries(known)) {
      const field = ownValue(value, key)
      // An explicit null means "none", as in the earlier release.
      if (field !== undefined && field !== null) check(field, `${path}/${key}`, errors)
    }
  }

const named =
  (check: Check, most = MAX_ENTRIES): Check =>
  (value, path, errors) => {
    if (!isObject(value)) {
      errors.push({ path, message: 'must be an object' })
      return
    }
    if (Object.keys(value).length > most) {
      errors.push({ path, message: `may have at most ${most} entries` })
      return
    }
    for (const [name, entry] of Object.entries(value)) {
      const at = `${path}/${toPointerToken(name)}`
      if (!isName(name))
        errors.push({
          path: at,
          message:
            name.trim() === ''
              ? 'needs a name'
              : `has an invalid name: use up to ${MAX_NAME} letters, digits, spaces or underscores, not only digits, and no dots`,
        })
      check(entry, at, errors)
    }
  }

const described = { desc: text, label: text }

const stat: Check = (value, path, errors) => {
  const shared = { ...described, type: kind, cooldown: count(0), hidden: boolean }
  const isText = isObject(value) && ownValue(value, 'type') === 'text'
  if (isText) {
    fields({ ...shared, initial: text, max_length: count(1), options })(value, path, errors)
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
  })(value, path, errors)
  const { min, max } = isObject(value) ? value : {}
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    errors.push({ path: `${path}/min`, message: `must not be greater than max (${max})` })
}

const checkSchema = fields({
  world: named(stat),
  player: named(stat),
  npcs: named(fields({ name: text, keys: text, desc: text, stats: named(stat) }), MAX_NPCS),
  flags: named(fields({ ...described, initial: boolean })),
  milestones: named(fields(described)),
})

// Keys made only of digits would change their order when JSON is parsed, and __proto__ is special.
function isName(name: string): boolean {
  return name.length <= MAX_NAME && NAME.test(name) && !/^\d+$/.test(name) && name !== '__proto__'
}
