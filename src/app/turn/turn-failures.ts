import { findNewest } from '../../db/tables/actions/list.ts'
import { actionView } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import { printError } from '../../lib/print.ts'
import { isBlank } from '../../lib/text.ts'
import type { ReplyCollector } from './reply/reply-collector.ts'
import { unusableReply } from './reply/unusable-reply.ts'
import type { OpenTurn } from './turn.ts'

/** Turns a failed write into storage_failed, or the refusal that the write itself threw. */
export function storageFailure(error: unknown): StoryError {
  if (!(error instanceof StoryError)) {
    printError('The library could not be written', error)
    return new StoryError(
      'storage_failed',
      'Inglenook could not write to the library file. Nothing was changed; try again.',
    )
  }
  const isStorage = error.code === 'library_busy' || error.code === 'storage_full'
  return isStorage ? new StoryError('storage_failed', error.message) : error
}

/** Reasons for which a retry would fail in the same way. */
const NOT_RETRYABLE = new Set(['endpoint_refused', 'no_model'])

/** Ends the events of a turn with an `error`, and counts it. */
export function reportFailure(turn: OpenTurn, error: unknown): void {
  const { deps, events } = turn
  const failure =
    error instanceof StoryError
      ? error
      : new StoryError(
          'internal',
          'Something went wrong in Inglenook itself. Your story is unchanged; try again.',
        )
  if (failure !== error) printError('A turn failed', error)
  deps.turnCounts.countFailed(failure.code)
  const { reason } = failure.more
  events.push({
    type: 'error',
    detail: failure.message,
    code: failure.code,
    ...(reason === undefined ? {} : { reason }),
    retryable: !NOT_RETRYABLE.has(reason ?? '') && failure.code !== 'prompt_too_large',
    player_action_id: findWaitingLine(turn),
  })
}

/** The id of a player's line that still has no reply. */
function findWaitingLine({ deps, adventureId }: OpenTurn): number | null {
  try {
    const newest = findNewest(deps.library.reader, adventureId)
    return newest && actionView(newest, true).waiting ? newest.id : null
  } catch {
    return null
  }
}

/** The end of a turn without a reply, with the setting that helps. */
export function emptyReply({ unusable, received, cut }: ReplyCollector): StoryError {
  if (unusable !== null) return unusableReply(unusable)
  const hasReasoning = !isBlank(received.reasoning)
  if (cut === 'length')
    return new StoryError(
      'empty_reply',
      `The model reached its length limit before it wrote any text. Raise “Max response length” in Settings${hasReasoning ? ', or allow it more “Reasoning tokens”' : ''}.`,
    )
  if (hasReasoning)
    return new StoryError(
      'empty_reply',
      'The model sent only reasoning and no text. Retry; if it happens again, raise “Reasoning tokens” in Settings, or set them to −1 to ask for none.',
    )
  return new StoryError(
    'empty_reply',
    'The model sent an empty reply. Check that a model is loaded in the model server, then retry; if it happens again, try the other “API mode” in Settings.',
  )
}
