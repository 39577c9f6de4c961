import type { Writer } from '../../db/database.ts'
import { findNewest, getAction } from '../../db/tables/actions/list.ts'
import { insertAction } from '../../db/tables/actions/write.ts'
import { getAdventure, getWorld } from '../../db/tables/adventures.ts'
import { deleteDraft } from '../../db/tables/drafts.ts'
import { deleteInterrupted } from '../../db/tables/interrupted-replies.ts'
import { type Action, actionView, type PlayerLineType, type TurnType } from '../../domain/action.ts'
import { playerLine } from '../../domain/text/player-line.ts'
import { isBlank } from '../../lib/text.ts'
import type { Deps } from '../deps.ts'
import { changesQuestion, NOT_ANSWERED } from '../recording/ask-for-changes.ts'
import { recordChanges, waitForRecording } from '../recording/record-changes.ts'
import type { TurnLock } from '../runtime/turn-lock.ts'
import { doneEvent, toldEvent } from './end-events.ts'
import { generateReply } from './generate-reply.ts'
import { clippedNotice, learnLoadedWindow } from './learn-from-reply.ts'
import { saveReply } from './save-reply.ts'
import { makeTurn, type OpenTurn } from './turn.ts'
import { TurnEvents } from './turn-events.ts'
import { reportFailure, storageFailure } from './turn-failures.ts'

/** What the player sends. Blank text continues the story, whatever the type. */
interface TurnInput {
  type: TurnType
  text: string
}

/**
 * Plays a turn: stores the player's line, then generates a reply (docs/rules.md 4). Throws not_found and
 * turn_in_progress before anything is written; every later failure is an `error` event.
 */
export function playTurn(
  deps: Deps,
  adventureId: number,
  input: TurnInput,
  disconnected: AbortSignal,
): TurnEvents {
  getAdventure(deps.library.reader, adventureId)
  const lock = deps.locks.takeForLine(adventureId)
  return startTurn({ deps, adventureId, disconnected }, lock, async (turn) => {
    savePlayerLine(turn, input)
    await waitForRecording(turn)
    return null
  })
}

/**
 * Generates another version of the newest reply. If the newest action is the player's line, generates its reply.
 * Nothing is written before the reply is complete (docs/rules.md 4). Throws as {@link playTurn}.
 */
export function retryTurn(deps: Deps, adventureId: number, disconnected: AbortSignal): TurnEvents {
  getAdventure(deps.library.reader, adventureId)
  const lock = deps.locks.take(adventureId)
  return startTurn({ deps, adventureId, disconnected }, lock, async () => {
    const newest = findNewest(deps.library.reader, adventureId)
    return newest?.type === 'ai' ? newest : null
  })
}

/**
 * Ends a running turn with the prose so far, or the recording of its changes. False when none is running. Throws
 * not_found.
 */
export function stopTurn({ library, recordings, locks }: Deps, adventureId: number): boolean {
  getAdventure(library.reader, adventureId)
  return recordings.end(adventureId, 'stopped') || locks.stop(adventureId)
}

/** The step before the reply. Returns the action to retry; null for a new one. */
type Prepare = (turn: OpenTurn) => Promise<Action | null>

// The lock is taken and the turn started in one synchronous step: no lock waits for a stream that nobody reads.
function startTurn(
  start: Pick<OpenTurn, 'deps' | 'adventureId' | 'disconnected'>,
  lock: TurnLock,
  prepare: Prepare,
): TurnEvents {
  const events = new TurnEvents()
  void runTurn({ ...start, events, stopped: lock.stopped }, lock, prepare)
  return events
}

async function runTurn(open: OpenTurn, lock: TurnLock, prepare: Prepare): Promise<void> {
  try {
    const { recorded } = await playToReply(open, lock, prepare)
    await recorded
  } catch (error) {
    reportFailure(open, error)
  } finally {
    open.events.end()
    open.deps.idle.wake(open.adventureId)
  }
}

/**
 * Plays a turn until its reply is stored, and frees its lock. If its stat changes have to be asked for, that goes on until
 * `recorded` resolves.
 */
async function playToReply(
  open: OpenTurn,
  lock: TurnLock,
  prepare: Prepare,
): Promise<{ recorded: Promise<void> | null }> {
  using _ = lock
  using calls = new DisposableStack()
  const turn = makeTurn(open, await prepare(open))
  const { deps, events, adventureId } = turn
  const reply = await generateReply(turn, calls)
  await learnLoadedWindow(turn)
  const notice = clippedNotice(deps.library.reader, reply)
  const question = changesQuestion(turn, reply)
  const saved = await saveReply(turn, question ? { ...reply, second: NOT_ANSWERED } : reply)
  deps.turnCounts.countAccepted(adventureId)
  if (question === null) {
    events.push(doneEvent(turn, saved.actionId, notice))
    return { recorded: null }
  }
  const told = toldEvent(turn, saved.actionId, notice)
  events.push(told)
  const place = calls.move()
  const recorded = deps.recordings.start(adventureId, (early) =>
    recordChanges(turn, { saved, told, question, place, early }),
  )
  return { recorded }
}

function savePlayerLine(turn: OpenTurn, { type, text: typed }: TurnInput): void {
  if (type === 'continue' || isBlank(typed)) return
  const { deps, adventureId, events } = turn
  const line = playerLine(type, typed)
  let id: number
  try {
    id = deps.library.write((tx) => {
      deleteDraft(tx, adventureId, typed)
      return findOrInsertLine(tx, adventureId, line, deps.now())
    })
  } catch (error) {
    throw storageFailure(error)
  }
  events.push({ type: 'player', action: actionView(getAction(deps.library.reader, adventureId, id), true) })
}

// The same line sent again is the one that still waits for a reply: it is not added twice.
function findOrInsertLine(
  tx: Writer,
  adventureId: number,
  { type, text }: { type: PlayerLineType; text: string },
  now: Date,
): number {
  const newest = findNewest(tx, adventureId)
  if (newest?.type === type && newest.text === text) return newest.id
  deleteInterrupted(tx, adventureId)
  const { state } = getWorld(tx, adventureId)
  const index = (newest?.index ?? -1) + 1
  return insertAction(tx, { adventure_id: adventureId, index, type, text, world_state_before: state }, now)
}
