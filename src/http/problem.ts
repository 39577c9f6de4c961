import { type Static, Type } from '@sinclair/typebox'
import {
  Conflict,
  ERROR_CODES,
  type ErrorCode,
  FieldError,
  StoryError,
  statusOfCode,
} from '../domain/errors.ts'
import { printError } from '../lib/print.ts'

export const Problem = Type.Object({
  detail: Type.String({ description: 'What happened and what to do, in a sentence' }),
  code: Type.Unsafe<ErrorCode>(
    Type.String({ description: 'The kind of error, for programs', enum: ERROR_CODES }),
  ),
  errors: Type.Optional(Type.Array(FieldError, { description: 'What is wrong with each field' })),
  clashes: Type.Optional(
    Type.Array(Conflict, { description: 'Fields that changed in the meantime; nothing was saved' }),
  ),
})

export type Problem = Static<typeof Problem>

export const PROBLEM_REF = '#/components/schemas/Problem'

export function statusOf({ code, more }: StoryError): number {
  // HTTP has a status of its own for a body without a length.
  return more.reason === NO_LENGTH ? 411 : statusOfCode(code)
}

export const NO_LENGTH = 'no_length'

export function problemOf(error: StoryError): Problem {
  const { errors, clashes } = error.more
  return {
    detail: error.message,
    code: error.code,
    ...(errors ? { errors } : {}),
    ...(clashes ? { clashes } : {}),
  }
}

export function problemResponse(error: StoryError, headers: Record<string, string> = {}): Response {
  return Response.json(problemOf(error), { status: statusOf(error), headers })
}

/** Converts any error to a StoryError. Unexpected errors are logged without story text. */
export function asStoryError(error: unknown, where: string): StoryError {
  if (error instanceof StoryError) return error
  printError(`Unexpected error at ${where}`, error)
  return new StoryError(
    'internal',
    'Something went wrong in Inglenook. Nothing was changed. See the log for details.',
  )
}
