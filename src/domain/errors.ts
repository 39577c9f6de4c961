import { type Static, Type } from '@sinclair/typebox'

/** The error codes of the API, and the HTTP status of each. 500 is for our own faults alone. */
const STATUS = {
  // Rejected requests.
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
  internal: 500,
  endpoint_unreachable: 502,
  library_busy: 503,
  library_moved: 503,
  library_damaged: 503,
  endpoint_slow: 504,
  storage_full: 507,
  engine_loading: 503,
  engine_failed: 502,
  // Turns that failed because of the model or the player.
  provider_error: 502,
  timeout: 504,
  empty_reply: 502,
  state_only_reply: 502,
  // Only a service that is being stopped sends its status to somebody.
  disconnected: 503,
  // Turns that failed because of this service.
  prompt_too_large: 422,
  storage_failed: 500,
} as const

export type ErrorCode = keyof typeof STATUS
export const ERROR_CODES = Object.keys(STATUS) as ErrorCode[]

export function statusOfCode(code: ErrorCode): number {
  return STATUS[code]
}

/** `path` is a JSON pointer into the value. */
export const FieldError = Type.Object({ path: Type.String(), message: Type.String() })
export type FieldError = Static<typeof FieldError>

/** A field that was changed both here and elsewhere, with both texts, so that neither is lost. */
export const Conflict = Type.Object({ field: Type.String(), stored: Type.String(), sent: Type.String() })
export type Conflict = Static<typeof Conflict>

/** An expected error: a code for programs and a sentence that tells the player what to do. */
export class StoryError extends Error {
  constructor(
    readonly code: ErrorCode,
    sentence: string,
    readonly more: { reason?: string; errors?: FieldError[]; clashes?: Conflict[] } = {},
  ) {
    super(sentence)
    this.name = 'StoryError'
  }
}
