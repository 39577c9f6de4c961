import { type Clash, type Code, type Fault, StoryError } from '../domain/errors.ts'
import { traceOf } from '../domain/trace.ts'

/** The one shape of an error on the wire. */
export interface Problem {
  detail: string
  code: Code
  errors?: Fault[]
  clashes?: Clash[]
}

const STATUS: Partial<Record<Code, number>> = {
  malformed_body: 400,
  nothing_to_undo: 400,
  not_last: 400,
  no_such_variant: 400,
  no_world_state: 400,
  host_not_allowed: 403,
  origin_not_allowed: 403,
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
  endpoint_unreachable: 502,
  library_busy: 503,
  endpoint_slow: 504,
  storage_full: 507,
}

/** The HTTP status of a refusal. */
export function statusOf({ code, more }: StoryError): number {
  // A body without a length is too large as far as anyone can tell, and HTTP has a number of its own for it.
  return more.reason === NO_LENGTH ? 411 : (STATUS[code] ?? 500)
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

/** A refusal as a JSON answer. */
export function problemAnswer(error: StoryError, headers: Record<string, string> = {}): Response {
  return Response.json(problemOf(error), { status: statusOf(error), headers })
}

/** Any fault as one that a player can be told. What nobody foresaw is logged, without a word of a story. */
export function asStoryError(error: unknown, where: string): StoryError {
  if (error instanceof StoryError) return error
  console.error(`Unexpected, at ${where}:`, traceOf(error))
  return new StoryError(
    'internal',
    'Something went wrong in Inglenook itself. Nothing was changed; the log says more.',
  )
}
