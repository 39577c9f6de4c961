import { type Static, Type } from '@sinclair/typebox'

/** The error codes of the API. Every code must be listed here. */
export const ERROR_CODES = [
  // Rejected requests.
  'malformed_body',
  'nothing_to_undo',
  'no_roll',
  'line_waiting',
  'not_last',
  'no_such_variant',
  'no_world_state',
  'host_not_allowed',
  'origin_not_allowed',
  'device_not_allowed',
  'machine_only',
  'not_found',
  'no_scenario',
  'wrong_method',
  'turn_in_progress',
  'changed_elsewhere',
  'too_large',
  'json_required',
  'invalid',
  'endpoint_refused',
  'image_refused',
  'import_refused',
  'internal',
  'endpoint_unreachable',
  'library_busy',
  'endpoint_slow',
  'storage_full',
  'engine_loading',
  'engine_failed',
  // Turns that failed because of the model or the player.
  'provider_error',
  'timeout',
  'empty_reply',
  'state_only_reply',
  'disconnected',
  // Turns that failed because of this service.
  'prompt_too_large',
  'storage_failed',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

/** What is wrong with a field: `path` is a JSON pointer into the value. */
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
