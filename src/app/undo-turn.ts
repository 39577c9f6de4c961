import { deleteActions, findWorldBefore, listActions, listNewest } from '../db/actions.ts'
import { getAdventure, getWorld, updateWorldState } from '../db/tables/adventures.ts'
import { findDraft, keepDraft } from '../db/drafts.ts'
import { takeBackSummary } from '../db/forget.ts'
import { clampCursors, pruneMemories } from '../db/tables/memories.ts'
import { pruneParts } from '../db/tables/prompt-parts.ts'
import { pullBreaksTo } from '../db/tables/world-breaks.ts'
import { type Action, type ActionPage, isPlayerLine, type PlayerLineType } from '../domain/action.ts'
import { StoryError } from '../domain/errors.ts'
import { PAGE } from '../domain/limits.ts'
import { typedWords } from '../domain/text/player-line.ts'
import { fitted } from '../domain/world/reconcile.ts'
import type { Deps } from './deps.ts'

/** The story after an undo, and the player's words that went with it, for the composer. */
export interface Undone extends ActionPage {
  typed: { type: PlayerLineType; text: string } | null
}

/**
 * Removes the last turn for good: the narration and the line that it answers, or a line that waits. The world goes
 * back to where the turn began (specification 3, "Undo"). Throws not_found, turn_in_progress, nothing_to_undo.
 */
export function undoTurn(deps: Deps, adventureId: number): Undone {
  getAdventure(deps.library.reader, adventureId)
  using _ = deps.locks.take(adventureId)
  const newest = listNewest(deps.library.reader, adventureId, 3)
  const removed = lastTurn(newest)
  const typed = typedIn(removed[0])
  const lastIndex = newest[removed.length]?.index ?? -1
  deps.library.write((tx) => {
    const before = findWorldBefore(tx, removed[0].id)
    pruneMemories(tx, adventureId, lastIndex)
    takeBackSummary(tx, adventureId, lastIndex + 1)
    pruneParts(tx, adventureId, lastIndex)
    pullBreaksTo(tx, adventureId, lastIndex)
    deleteActions(
      tx,
      adventureId,
      removed.map(({ id }) => id),
      deps.now(),
    )
    clampCursors(tx, adventureId)
    if (before) updateWorldState(tx, adventureId, fitted(getWorld(tx, adventureId).schema, before))
    if (typed && findDraft(tx, adventureId) === null) keepDraft(tx, adventureId, typed)
  })
  deps.idle.wake(adventureId)
  return { ...listActions(deps.library.reader, adventureId, PAGE), typed }
}

/** The actions of the last turn, oldest first, from the newest of the story. */
function lastTurn([last, before]: Action[]): [Action, ...Action[]] {
  if (last === undefined || last.type === 'start')
    throw new StoryError(
      'nothing_to_undo',
      'Only the opening is left, and it stays. Delete the adventure to be rid of it.',
    )
  return last.type === 'ai' && before && isPlayerLine(before.type) ? [before, last] : [last]
}

function typedIn({ type, text }: Action): Undone['typed'] {
  if (!isPlayerLine(type)) return null
  return { type, text: typedWords(type, text) }
}
