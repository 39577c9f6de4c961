import type { Writer } from '../../db/database.ts'
import { findNewest, getAction } from '../../db/tables/actions/list.ts'
import { deleteInterrupted, getInterrupted, storyEnd } from '../../db/tables/waiting-lines.ts'
import { type ActionView, actionView } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import type { InterruptedReply } from '../../domain/interrupted-reply.ts'
import { printProblem } from '../../lib/print.ts'
import type { Deps } from '../deps.ts'
import { findUnrecorded, recordPassage } from '../recording/record-passage.ts'
import { whenFree } from '../runtime/when-free.ts'
import { withoutReason } from '../turn/end-events.ts'
import type { Reply } from '../turn/reply/reply.ts'
import { writeReply } from '../turn/reply/save-reply.ts'
import type { Turn } from '../turn/turn.ts'

/**
 * Saves the prose of an interrupted turn beside the story, with the error that ended it. It stays in memory if that fails.
 * Never throws: the turn has failed.
 */
export async function saveInterrupted(turn: Turn, reply: Reply, error: unknown): Promise<void> {
  const { deps, adventureId, retried } = turn
  const { library, unsavedReplies } = deps
  unsavedReplies.hold(adventureId, {
    text: reply.text,
    retry: retried !== null,
    reason: error instanceof StoryError ? error.message : '',
    // The prompt holds the messages already.
    reply: JSON.stringify({ ...reply, request: { ...reply.request, messages: [] } }),
    story_end: storyEnd(library.reader, adventureId),
  })
  try {
    await whenFree(deps, () => unsavedReplies.save(library, adventureId))
  } catch {
    printProblem('A reply could not be saved. It is held in memory until the library can be written.')
  }
}

/**
 * Stores the interrupted reply of a story as a stopped turn would have: as a new action, or as another variant. Throws
 * not_found, turn_in_progress.
 */
export function keepInterrupted(deps: Deps, adventureId: number): ActionView {
  assertInterrupted(deps, adventureId)
  using _ = deps.locks.take(adventureId)
  deps.unsavedReplies.save(deps.library, adventureId)
  const actionId = deps.library.write((tx) => writeInterrupted(tx, adventureId, deps.now()))
  void recordKept(deps, adventureId).then(() => deps.idle.wake(adventureId))
  return withoutReason(actionView(getAction(deps.library.reader, adventureId, actionId), true))
}

/** Counts a reply that was kept, and records its changes. Never rejects. */
export async function recordKept(deps: Deps, adventureId: number): Promise<void> {
  deps.turnCounts.countAccepted(adventureId)
  const passage = findUnrecorded(deps.library.reader, adventureId)
  if (passage) await recordPassage(deps, passage, {})
}

/** Writes the interrupted reply of a story into it, and returns the id of its action. Throws not_found. */
export function writeInterrupted(tx: Writer, adventureId: number, now: Date): number {
  const { retry, reply } = getInterrupted(tx, adventureId)
  const retried = retry ? findNewest(tx, adventureId) : null
  return writeReply(tx, { adventureId, retried }, JSON.parse(reply) as Reply, now)
}

/** Throws not_found, turn_in_progress. */
export function discardInterrupted(deps: Deps, adventureId: number): void {
  assertInterrupted(deps, adventureId)
  using _ = deps.locks.take(adventureId)
  deps.library.write((tx) => deleteInterrupted(tx, adventureId))
  deps.unsavedReplies.discard(adventureId)
}

/** The interrupted reply of a story, saved or not; null if there is none. */
export function interruptedReply(
  { library, unsavedReplies }: Deps,
  adventureId: number,
): InterruptedReply | null {
  return unsavedReplies.find(library.reader, adventureId)
}

/** Throws not_found. */
function assertInterrupted(deps: Deps, adventureId: number): void {
  if (interruptedReply(deps, adventureId) === null) getInterrupted(deps.library.reader, adventureId)
}
