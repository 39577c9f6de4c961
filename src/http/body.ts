import type { TSchema } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { StoryError } from '../domain/errors.ts'
import { MAX_BODY_VALUES } from '../domain/limits.ts'
import { matching, refuseUnknownKeys } from '../domain/validation.ts'
import { type JsonError, MAX_JSON_DEPTH, readJson } from '../lib/json.ts'

/** API routes of one resource. The guard has checked the type and length of a body; this parses it. */
export const jsonRoutes = <Prefix extends string>(prefix: Prefix, tag: string) =>
  new Elysia({ prefix, detail: { tags: [tag] } }).onParse(async ({ request }) => {
    const text = textFrom(await request.bytes())
    return text === '' ? {} : objectFrom(text)
  })

/**
 * Declares the body of a route, without unknown keys. `parse` is only for the documentation: `onParse` above runs
 * first.
 */
export const jsonBody = <Shape extends TSchema>(shape: Shape) => ({
  body: closed(shape),
  parse: 'json' as const,
  // The framework would drop unknown keys, and read a text as a record of its letters.
  transform: ({ body }: { body: unknown }) => {
    refuseUnknownKeys(shape, body)
    matching(shape, body, (field) => field)
  },
})

function closed<Shape extends TSchema>(shape: Shape): Shape {
  const { properties, items } = shape
  if (items) return { ...shape, items: closed(items) }
  if (!properties || shape.additionalProperties !== undefined) return shape
  const all = Object.entries<TSchema>(properties).map(([name, one]) => [name, closed(one)])
  return { ...shape, properties: Object.fromEntries(all), additionalProperties: false }
}

/** Parses a JSON object of at most `values` values. Throws malformed_body, too_large, or invalid for other JSON. */
export function objectFrom(text: string, values = MAX_BODY_VALUES): object {
  const value = valueFrom(text, values)
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value
  throw new StoryError('invalid', 'The body must be a JSON object.')
}

/** Decodes UTF-8. Throws malformed_body: stored text must be what was sent, without replaced bytes. */
export function textFrom(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new StoryError('malformed_body', 'The body is not valid UTF-8.')
  }
}

function valueFrom(text: string, values: number): unknown {
  const result = readJson(text, { values })
  if (!('value' in result)) throw bodyError(result.error, values)
  if (!hasLoneSurrogate(text, result.value)) return result.value
  throw new StoryError('malformed_body', 'The body contains a lone surrogate, which is not valid text.')
}

function bodyError(error: JsonError, values: number): StoryError {
  switch (error) {
    case 'too_many_values':
      return new StoryError('too_large', `The body may have at most ${values} values.`)
    case 'too_deep':
      return new StoryError('malformed_body', `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`)
    case 'not_json':
      return new StoryError('malformed_body', 'The body is not valid JSON.')
  }
}

// Text is stored as UTF-8, which cannot represent a lone surrogate. JSON.stringify escapes only lone ones.
function hasLoneSurrogate(text: string, value: unknown): boolean {
  return /\\u[dD]/.test(text) && /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value))
}
