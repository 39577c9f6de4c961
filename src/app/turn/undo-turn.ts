import { type Static, Type } from '@sinclair/typebox'
import { rewindSummary } from '../../db/stories/invalidate.ts'
import { listActions, listNewest } from '../../db/tables/actions/list.ts'
import { findWorldBefore } from '../../db/tables/actions/variants.ts'
import { deleteActions } from '../../db/tables/actions/write.ts'
import { getAdventure, getWorld, updateWorldState } from '../../db/tables/adventures.ts'
import { pruneProposals } from '../../db/tables/card-proposals.ts'
import { clampCursors, pruneMemories } from '../../db/tables/memory/memories.ts'
import { deletePromptPartsAfter } from '../../db/tables/prompt-parts.ts'
import { deleteInterrupted, restoreDraft } from '../../db/tables/waiting-lines.ts'
import { moveBreaksBackTo } from '../../db/tables/world-breaks.ts'
import { type Action, ActionPage, type ComposerType, isPlayerLine } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import { PAGE_SIZE } from '../../domain/limits.ts'
import { triedLine, typedWords } from '../../domain/text/player-line.ts'
import { reconciledState } from '../../domain/world/reconcile.ts'
import { nullable } from '../../lib/typebox.ts'
import type { Deps } from '../deps.ts'

/** The story after an undo, and the player's words that went with it, for the composer. */
export const UndoneTurn = Type.Composite([
  ActionPage,
  Type.Object({
    typed: nullable(
      Type.Object(
        { type: Type.Unsafe<ComposerType>(Type.String()), text: Type.String() },
        { description: 'The player’s text that was removed with the turn' },
      ),
    ),
    in_a_row: Type.Integer({ description: 'How many turns were undone since the last one was played' }),
  }),
])

export type UndoneTurn = Static<typeof UndoneTurn>

/**
 * Removes the last turn for good: the reply and the line it answers, or a line without a reply. Restores the world state
 * from before the turn. Throws not_found, turn_in_progress, nothing_to_undo.
 */
export function undoTurn(deps: Deps, adventureId: number): UndoneTurn {
  getAdventure(deps.library.reader, adventureId)
  using _ = deps.locks.take(adventureId)
  const newest = listNewest(deps.library.reader, adventureId, 3)
  const removed = lastTurn(newest)
  const typed = typedIn(removed[0])
  const steering = removed.at(-1)?.steering ?? ''
  const lastIndex = newest[removed.length]?.index ?? -1
  deps.library.write((tx) => {
    deleteInterrupted(tx, adventureId)
    const before = findWorldBefore(tx, removed[0].id)
    pruneMemories(tx, adventureId, lastIndex)
    pruneProposals(tx, adventureId, lastIndex)
    rewindSummary(tx, adventureId, lastIndex + 1)
    deletePromptPartsAfter(tx, adventureId, lastIndex)
    moveBreaksBackTo(tx, adventureId, lastIndex)
    deleteActions(
      tx,
      adventureId,
      removed.map(({ id }) => id),
      deps.now(),
    )
    clampCursors(tx, adventureId)
    if (before) updateWorldState(tx, adventureId, reconciledState(getWorld(tx, adventureId).schema, before))
    restoreDraft(tx, adventureId, { ...typed, steering })
  })
  deps.idle.storyChanged(adventureId)
  const in_a_row = deps.turnCounts.countUndone(adventureId)
  return { ...listActions(deps.library.reader, adventureId, PAGE_SIZE), typed, in_a_row }
}

/** The actions of the last turn, oldest first, out of the newest actions of the story (newest first). */
function lastTurn([last, before]: Action[]): [Action, ...Action[]] {
  if (last === undefined || last.type === 'start')
    throw new StoryError(
      'nothing_to_undo',
      'Nothing to undo: only the opening is left. To remove it, delete the story.',
    )
  return last.type === 'ai' && before && isPlayerLine(before.type) ? [before, last] : [last]
}

function typedIn({ type, text, roll }: Action): UndoneTurn['typed'] {
  if (!isPlayerLine(type)) return null
  if (roll === null || roll.called_by !== undefined) return { type, text: typedWords(type, text) }
  const isBare = [true, false].some((isEnglish) => text === triedLine(roll.check, isEnglish).text)
  return { type: 'try', text: isBare ? '' : typedWords(type, text) }
}
