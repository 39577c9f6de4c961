import type { Reader } from '../../db/database.ts'
import { getAdventure, getWorld } from '../../db/tables/adventures.ts'
import { type ActionView, actionView } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import { isAnswered, recorderCallIn } from '../../domain/world/delta-report.ts'
import { hasStats } from '../../domain/world/state.ts'
import { printError } from '../../lib/print.ts'
import type { Deps } from '../deps.ts'
import type { TurnEvent } from '../runtime/turn-events.ts'
import { doneEvent, removedEvent } from '../turn/end-events.ts'
import { writeWhenFree } from '../turn/reply/save-reply.ts'
import { StatusReporter } from '../turn/reply/status-reporter.ts'
import { startTurn } from '../turn/start-turn.ts'
import type { OpenTurn } from '../turn/turn.ts'
import { askRecorder, type RecordingTurn } from './ask-recorder.ts'
import { findRecorded, type RecordedPassage, writeRecord } from './recorded-passage.ts'

/** The passage that has just been stored, if its changes have to be asked for. */
export function findUnrecorded(reader: Reader, adventureId: number): RecordedPassage | null {
  const passage = findRecorded(reader, adventureId)
  return passage && recorderCallIn(passage.live.world_state?.report) !== null ? passage : null
}

/**
 * Asks for the stat changes of a passage and adds them to it, if it is still the live one and unchanged; then sends
 * `done`. Never rejects.
 */
export async function recordPassage(
  deps: Deps,
  passage: RecordedPassage,
  { events, place, notice: told = '' }: RecordingTurn,
): Promise<void> {
  const { adventure_id: adventureId, id } = passage.action
  const shown = actionView(passage.action, false)
  let notice = told
  await deps.recordings.start({ adventureId, actionId: id }, async (early) => {
    try {
      const result = await askRecorder(deps, passage, { events, place }, early)
      if (early.reason === 'changed') return
      // An earlier record is better than nothing.
      if (result.answer === null && isAnswered(passage.live.world_state?.report)) notice = result.call.why
      else await writeWhenFree({ deps }, (tx) => writeRecord(tx, passage, result))
    } catch (error) {
      printError('The changes of a passage could not be recorded', error)
    }
  })
  deps.live.changed()
  events?.push(endEvent({ deps, adventureId }, { id, shown, notice }))
}

function endEvent(
  story: Pick<OpenTurn, 'deps' | 'adventureId'>,
  { id, shown, notice }: { id: number; shown: ActionView; notice: string },
) {
  try {
    return doneEvent(story, id, notice)
  } catch {
    return removedEvent(shown)
  }
}

/**
 * Records the live version of the newest narration again: from the state before it and its roll, with the player's own
 * changes on top. Throws not_found, no_world_state, not_last, turn_in_progress.
 */
export function recordAgain(deps: Deps, adventureId: number): ReadableStream<TurnEvent> {
  const { reader } = deps.library
  getAdventure(reader, adventureId)
  getRecorded(reader, adventureId)
  const lock = deps.locks.take(adventureId)
  return startTurn({ deps, adventureId, disconnect: 0 }, lock, async ({ events }) => ({
    recorded: recordPassage(deps, getRecorded(reader, adventureId), { events }),
  }))
}

function getRecorded(reader: Reader, adventureId: number): RecordedPassage {
  if (!hasStats(getWorld(reader, adventureId).schema))
    throw new StoryError('no_world_state', 'This story has no stats.')
  const passage = findRecorded(reader, adventureId)
  if (passage !== null) return passage
  throw new StoryError(
    'not_last',
    'Only the narrator’s last passage can be recorded again, and only until dice are thrown after it.',
  )
}

/**
 * Waits until the changes of the passage before are recorded, so that the next prompt knows them. Stop skips the wait.
 * Throws disconnected.
 */
export async function waitForRecording({ deps, adventureId, events, disconnected }: OpenTurn): Promise<void> {
  const { recordings, closing, now } = deps
  if (!recordings.isRunning(adventureId)) return
  using status = new StatusReporter(recordings.maxWait / 1_000, events, now)
  status.report('recording')
  const left = AbortSignal.any([disconnected, closing])
  try {
    await recordings.endedSoon(adventureId, left)
  } catch {
    throw new StoryError('disconnected', 'The turn was ended before the narrator was asked.')
  }
}
