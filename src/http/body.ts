import type { TSchema } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { StoryError } from '../domain/errors.ts'
import { sizeOfJson } from '../domain/json-size.ts'

/** Levels of nesting that a body may have: more than any schema or bundle needs, fewer than any stack. */
const DEEPEST = 100

/** The routes of one noun of the JSON face. The guard has seen to the type and length of a body; it is read here. */
export const jsonRoutes = <Prefix extends string>(prefix: Prefix, tag: string) =>
  new Elysia({ prefix, detail: { tags: [tag] } }).onParse(async ({ request }) => {
    const text = await request.text()
    return text === '' ? {} : objectFrom(text)
  })

/** Says of a route what its body is. The parser that it names is for the documentation: ours comes before it. */
export const sent = <Shape extends TSchema>(body: Shape) => ({ body, parse: 'json' as const })

/** The object that a text is. Throws malformed_body, and invalid for any other value. */
export function objectFrom(text: string): object {
  if (sizeOfJson(text).depth > DEEPEST)
    throw new StoryError('malformed_body', `The body is nested deeper than ${DEEPEST} levels.`)
  const value = parsed(text)
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value
  throw new StoryError('invalid', 'The body must be a JSON object.')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StoryError('malformed_body', 'The body is not valid JSON.')
  }
}
