import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { isObject } from '../lib/objects.ts'
import { cutTo } from '../lib/text.ts'
import { type FieldError, StoryError } from './errors.ts'

const MAX_ERRORS = 20

/** Returns the fields that the schema knows. Throws invalid, with all errors, if they do not match. */
export function validated<S extends TObject>(schema: S, fields: Record<string, unknown>): Static<S> {
  const known = Object.entries(fields).filter(([name]) => Object.hasOwn(schema.properties, name))
  return matching(schema, Object.fromEntries(known))
}

/** Returns the value. Throws invalid, with all errors, if it does not match. The sentence names fields by `nameOf`. */
export function matching<S extends TSchema>(schema: S, value: unknown, nameOf = inWords): Static<S> {
  // Listing errors takes several times as long, and there are hardly ever any.
  if (Value.Check(schema, value)) return value
  const errors = [...Value.Errors(schema, value)]
    .slice(0, MAX_ERRORS)
    .map(({ path, message }): FieldError => ({ path, message }))
  throw invalid(errors, nameOf)
}

const inWords = (field: string) => field.replaceAll('_', ' ')

/** Keys that clients of the earlier release send for what is gone. They are dropped unread. */
const GONE = new Set(['user_id', 'api_key', 'has_api_key', 'stream', 'is_public', 'script_ids'])

/** Refuses the keys of a request that its schema does not know, so that a typing error does not pass for success. Throws invalid. */
export function refuseUnknownKeys(schema: TSchema, value: unknown): void {
  const paths = unknownPaths(schema, value, '').filter((path) => !GONE.has(path.slice(1)))
  if (paths.length === 0) return
  const errors = paths
    .slice(0, MAX_ERRORS)
    .map((path): FieldError => ({ path: cutTo(path, MAX_NAME), message: 'Unknown field' }))
  const names = errors.map(({ path }) => `“${path.slice(1)}”`).join(', ')
  throw new StoryError('invalid', `Unknown: ${names}. Check the spelling. Nothing was saved.`, { errors })
}

const MAX_NAME = 100

function unknownPaths(schema: TSchema, value: unknown, path: string): string[] {
  if (Array.isArray(value))
    return schema.items ? value.flatMap((item, i) => unknownPaths(schema.items, item, `${path}/${i}`)) : []
  const { properties, additionalProperties } = schema
  if (!isObject(value) || !properties || additionalProperties === true) return []
  return Object.entries(value).flatMap(([key, item]) =>
    Object.hasOwn(properties, key)
      ? unknownPaths(properties[key], item, `${path}/${key}`)
      : [`${path}/${key}`],
  )
}

/** An invalid error whose sentence names each field and what is expected there. */
export function invalid(all: FieldError[], nameOf = (field: string) => field): StoryError {
  const errors = all.filter(({ path }, i) => all.findIndex((one) => one.path === path) === i)
  const fields = errors
    .filter(({ path }) => path.length > 1)
    .map(
      ({ path, message }) =>
        nameOf(path.slice(1)) + (SAYS_NOTHING.test(message) ? '' : ` (${lowered(message)})`),
    )
  const sentence =
    fields.length > 0
      ? `Please check: ${fields.join(', ')}.`
      : 'The request does not have the expected format.'
  return new StoryError('invalid', sentence, { errors })
}

/** Messages about a schema, not about what to send. */
const SAYS_NOTHING = /union value|to match '|^Invalid value/

const lowered = (message: string) => message.charAt(0).toLowerCase() + message.slice(1)
