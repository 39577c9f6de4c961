import { type Static, Type } from '@sinclair/typebox'
import { Conflict, ERROR_CODES, type ErrorCode, FieldError, StoryError } from '../domain/errors.ts'
import { printError } from '../lib/print.ts'

/** The JSON body of every error response. */
export const Problem = Type.Object({
  detail: Type.String({ description: 'What happened and what to do, in a sentence' }),
  code: Type.Unsafe<ErrorCode>(
    Type.String({ description: 'The kind of error, for programs', enum: [...ERROR_CODES] }),
  ),
  errors: Type.Optional(Type.Array(FieldError, { description: 'What is wrong with each field' })),
  clashes: Type.Optional(
    Type.Array(Conflict, { description: 'Fields that changed in the meantime; nothing was saved' }),
  ),
})

export type Problem = Static<typeof Problem>

/** Where the OpenAPI document keeps the shape. */
export const PROBLEM_REF = '#/components/schemas/Problem'

/** Of every code, so that 500 is never given by omission: it is for our own faults alone. */
const STATUS: Record<ErrorCode, number> = {
  malformed_body: 400,
  nothing_to_undo: 400,
  no_roll: 400,
  line_waiting: 400,
  not_last: 400,
  no_such_variant: 400,
  no_world_state: 400,
  host_not_allowed: 403,
  origin_not_allowed: 403,
  device_not_allowed: 403,
  machine_only: 403,
  not_found: 404,
  no_scenario: 404,
  wrong_method: 405,
  turn_in_progress: 409,
  changed_elsewhere: 409,
  too_large: 413,
  json_required: 415,
  invalid: 422,
  endpoint_refused: 422,
  image_refused: 422,
  import_refused: 422,
  prompt_too_large: 422,
  internal: 500,
  storage_failed: 500,
  endpoint_unreachable: 502,
  provider_error: 502,
  empty_reply: 502,
  state_only_reply: 502,
  engine_failed: 502,
  library_busy: 503,
  engine_loading: 503,
  // Only a service that is being stopped sends it to somebody.
  disconnected: 503,
  endpoint_slow: 504,
  timeout: 504,
  storage_full: 507,
}

export function statusOf({ code, more }: StoryError): number {
  // A body without a length counts as too large, and HTTP has its own status for that.
  return more.reason === NO_LENGTH ? 411 : statusOfCode(code)
}

export function statusOfCode(code: ErrorCode): number {
  return STATUS[code]
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

/** An error as a JSON response. */
export function problemResponse(error: StoryError, headers: Record<string, string> = {}): Response {
  return Response.json(problemOf(error), { status: statusOf(error), headers })
}

/** Converts any error to one for the player. Unexpected errors are logged, without any story text. */
export function asStoryError(error: unknown, where: string): StoryError {
  if (error instanceof StoryError) return error
  printError(`Unexpected error at ${where}`, error)
  return new StoryError(
    'internal',
    'Something went wrong in Inglenook. Nothing was changed. See the log for details.',
  )
}
