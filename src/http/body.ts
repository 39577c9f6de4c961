import type { TSchema } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { StoryError } from '../domain/errors.ts'
import { sizeOfJson } from '../domain/json-size.ts'

/** Levels of nesting that a body may have: more than any schema or bundle needs, fewer than any stack. */
const DEEPEST = 100

/** The routes of one noun of the JSON face. The guard has seen to the type and length of a body; it is read here. */
export const jsonRoutes = <Prefix extends string>(prefix: Prefix, tag: string) =>
  new Elysia({ prefix, detail: { tags: [tag] } }).onParse(async ({ request }) => {
    const text = textFrom(await request.bytes())
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

/** The text that bytes are. Throws malformed_body where they are none: what is kept must be what was sent. */
export function textFrom(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new StoryError('malformed_body', 'The body is not valid UTF-8.')
  }
}

function parsed(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new StoryError('malformed_body', 'The body is not valid JSON.')
  }
  if (!hasHalfLetter(text, value)) return value
  throw new StoryError('malformed_body', 'The body has half a letter: a surrogate without its other half.')
}

// UTF-8, in which everything is kept, has no form for one. Written again, only a lone one is still an escape.
function hasHalfLetter(text: string, value: unknown): boolean {
  return /\\u[dD]/.test(text) && /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value))
}
