/** How an error is told to a program. The list is closed: a code is added here or nowhere. */
export const CODES = [
  // Refusals of a request.
  'malformed_body',
  'nothing_to_undo',
  'not_last',
  'no_such_variant',
  'no_world_state',
  'host_not_allowed',
  'origin_not_allowed',
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
  // The five ways in which a turn fails for the model's or the player's part.
  'provider_error',
  'timeout',
  'empty_reply',
  'state_only_reply',
  'disconnected',
  // The ways in which it fails for ours.
  'prompt_too_large',
  'storage_failed',
] as const

export type Code = (typeof CODES)[number]

/** One fault of a field: `path` is a JSON pointer into what was sent. */
export interface Fault {
  path: string
  message: string
}

/** A field that was changed here and elsewhere, with both texts, so that neither is lost. */
export interface Clash {
  field: string
  stored: string
  sent: string
}

/** Why a program refuses: a code for the program and a sentence that tells the player what to do. */
export class StoryError extends Error {
  constructor(
    readonly code: Code,
    sentence: string,
    readonly more: { reason?: string; errors?: Fault[]; clashes?: Clash[] } = {},
  ) {
    super(sentence)
    this.name = 'StoryError'
  }
}
