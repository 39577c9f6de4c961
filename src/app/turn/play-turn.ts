import type { Reader, Writer } from '../../db/database.ts'
import { findNewest, getAction } from '../../db/tables/actions/list.ts'
import { storyBeginning } from '../../db/tables/actions/passages.ts'
import { insertAction } from '../../db/tables/actions/write.ts'
import { getAdventure, getWorld } from '../../db/tables/adventures.ts'
import { deleteInterrupted, findInterrupted, updateSent } from '../../db/tables/waiting-lines.ts'
import { type Action, actionView, type TurnType } from '../../domain/action.ts'
import { retriesNewest } from '../../domain/interrupted-reply.ts'
import { isEnglishStory } from '../../domain/text/language.ts'
import { playerLine, triedLine } from '../../domain/text/player-line.ts'
import { isBlank } from '../../lib/text.ts'
import { recordKept, saveInterrupted, writeInterrupted } from '../adventure/interrupted-reply.ts'
import { getReroll, rollAgain } from '../checks/roll-again.ts'
import {
  type Attempted,
  assertNoRollWaits,
  type FoundCheck,
  findCheck,
  rollFor,
} from '../checks/try-check.ts'
import type { Deps } from '../deps.ts'
import { findOverdue, rememberOverdue } from '../memory/remember.ts'
import { findUnrecorded, recordPassage, waitForRecording } from '../recording/record-passage.ts'
import type { TurnEvent } from '../runtime/turn-events.ts'
import { whenFree } from '../runtime/when-free.ts'
import { doneEvent, toldEvent, withoutReason } from './end-events.ts'
import { generateReply } from './reply/generate-reply.ts'
import { clippedNotice, learnLoadedWindow } from './reply/learn-from-reply.ts'
import { saveReply, writeWhenFree } from './reply/save-reply.ts'
import { StatusReporter } from './reply/status-reporter.ts'
import { type Disconnect, type Played, startTurn } from './start-turn.ts'
import { makeTurn, type OpenTurn } from './turn.ts'
import { storageFailure } from './turn-failures.ts'

/** A turn as the player sends it. Blank text continues the story, whatever the type. */
interface TurnInput extends Partial<Attempted> {
  type: TurnType
  text: string
  /** True if an interrupted reply becomes part of the story first. */
  keep?: boolean
  /** The hash of the form that sends it. */
  form?: string
}

/** A line to store, and the check that it tries. */
interface NewLine {
  line: ReturnType<typeof playerLine>
  typed: string
  found: FoundCheck | null
  form: string
}

/**
 * Plays a turn: stores the player's line, then generates a reply. Throws not_found,
 * turn_in_progress, and invalid for a check that cannot be tried, before anything is written; every later failure is an
 * `error` event.
 */
export function playTurn(
  deps: Deps,
  adventureId: number,
  input: TurnInput,
  disconnect: Disconnect,
): ReadableStream<TurnEvent> {
  getAdventure(deps.library.reader, adventureId)
  const line = newLine(deps, adventureId, input)
  const lock = deps.locks.takeForLine(adventureId)
  const prepare = async (turn: OpenTurn) => {
    if (input.keep) await keepBefore(turn, line)
    // Dice are thrown on the values as they are when the passage before is recorded.
    if (line?.found) await waitForRecording(turn)
    if (line) await writeLine(turn, line)
    await waitForRecording(turn)
    await waitForMemory(turn)
    return null
  }
  return startTurn({ deps, adventureId, disconnect, retried: null }, lock, (turn) =>
    playToReply(turn, prepare),
  )
}

/**
 * Generates another version of the newest reply. If the newest action is the player's line, or what follows it was
 * interrupted, generates that reply. Nothing is written before the reply is complete. Throws as
 * {@link playTurn}.
 */
export function retryTurn(
  deps: Deps,
  adventureId: number,
  { repeatsSteering = true }: Partial<Pick<OpenTurn, 'repeatsSteering'>>,
  disconnect: Disconnect,
): ReadableStream<TurnEvent> {
  getAdventure(deps.library.reader, adventureId)
  const retried = retriedIn(deps, adventureId)
  const lock = deps.locks.take(adventureId)
  return startTurn({ deps, adventureId, disconnect, repeatsSteering, retried }, lock, (turn) =>
    playToReply(turn, async () => retriedIn(deps, adventureId)),
  )
}

/** The newest action, if it gets another version. */
function retriedIn({ library: { reader }, unsavedReplies }: Deps, adventureId: number): Action | null {
  const newest = findNewest(reader, adventureId)
  return retriesNewest(newest, unsavedReplies.find(reader, adventureId)) ? newest : null
}

/**
 * Throws the dice of the newest turn again, where its author allows that, and generates another version of its reply. Throws
 * as {@link playTurn}.
 */
export function rerollTurn(
  deps: Deps,
  adventureId: number,
  disconnect: Disconnect,
): ReadableStream<TurnEvent> {
  getAdventure(deps.library.reader, adventureId)
  getReroll(deps.library.reader, adventureId)
  const lock = deps.locks.take(adventureId)
  const prepare = async (turn: OpenTurn) => {
    await writeWhenFree(turn, (tx) => void rollAgain(tx, adventureId))
    return retriedIn(deps, adventureId)
  }
  const retried = retriedIn(deps, adventureId)
  return startTurn({ deps, adventureId, disconnect, repeatsSteering: true, retried }, lock, (turn) =>
    playToReply(turn, prepare),
  )
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

async function playToReply(open: OpenTurn, prepare: Prepare): Promise<Played> {
  using calls = new DisposableStack()
  await saveHeldReply(open)
  const turn = makeTurn(open, await prepare(open))
  const { deps, events, adventureId } = turn
  const reply = await generateReply(turn, calls)
  await learnLoadedWindow(turn)
  const notice = clippedNotice(deps.library.reader, reply)
  const actionId = await saveReply(turn, reply).catch(async (error) => {
    await saveInterrupted(turn, reply, error)
    throw error
  })
  deps.turnCounts.countAccepted(adventureId)
  const passage = findUnrecorded(deps.library.reader, adventureId)
  if (passage === null) {
    events.push(doneEvent(turn, actionId, notice))
    return { recorded: null }
  }
  events.push(toldEvent(turn, actionId, notice))
  return { recorded: recordPassage(deps, passage, { events, place: calls.move(), notice }) }
}

/** An interrupted reply that the library could not take: a turn on a disk that is still full would lose another one. */
async function saveHeldReply({ deps, adventureId }: OpenTurn): Promise<void> {
  try {
    await whenFree(deps, () => deps.unsavedReplies.save(deps.library, adventureId))
  } catch (error) {
    throw storageFailure(error)
  }
}

/** Makes the memory or the summary that is overdue, as long as a line may wait. */
async function waitForMemory({ deps, adventureId, events, signal }: OpenTurn): Promise<void> {
  const overdue = findOverdue(deps.library.reader, adventureId)
  if (overdue === null) return
  const seconds = deps.recordings.maxWait / 1_000
  using status = new StatusReporter(seconds, events, deps.now)
  status.report('recording')
  await rememberOverdue(deps, overdue, { adventureId, seconds, signal })
}

/** Null when the story continues without a line. */
function newLine(
  { library, unsavedReplies }: Deps,
  adventureId: number,
  { type, text, keep, form = '', ...attempted }: TurnInput,
): NewLine | null {
  if (type !== 'try' && (type === 'continue' || isBlank(text))) return null
  const isEnglish = isInEnglish(library.reader, adventureId, text)
  if (type === 'try') {
    const found = findCheck(library.reader, adventureId, { check: '', ...attempted })
    const line = isBlank(text) ? triedLine(found.check.name, isEnglish) : playerLine('do', text, isEnglish)
    // If the interrupted reply to a roll is kept, the roll has its reply.
    if (!keep || unsavedReplies.find(library.reader, adventureId) === null)
      assertNoRollWaits(library.reader, adventureId, line.text)
    return { line, typed: text, found, form }
  }
  return { line: playerLine(type, text, isEnglish), typed: text, found: null, form }
}

/** A story without a beginning begins with the line that was typed. */
function isInEnglish(reader: Reader, adventureId: number, typed: string): boolean {
  const beginning = storyBeginning(reader, adventureId)
  return isEnglishStory(getAdventure(reader, adventureId).language, isBlank(beginning) ? typed : beginning)
}

/** Makes an interrupted reply part of the story, unless the line that it answers is sent again. */
async function keepBefore(turn: OpenTurn, line: NewLine | null): Promise<void> {
  const { deps, adventureId, events } = turn
  const { reader } = deps.library
  if (findInterrupted(reader, adventureId) === null) return
  if (line && findWaiting(reader, adventureId, line) !== null) return
  const kept = await writeWhenFree(turn, (tx, now) => writeInterrupted(tx, adventureId, now))
  const action = actionView(getAction(reader, adventureId, kept), line === null)
  events.push({ type: 'kept', action: withoutReason(action) })
  void recordKept(deps, adventureId)
}

/** Stores a line, unless it waits for its reply already. An interrupted reply before it that was not kept is dropped. */
async function writeLine(turn: OpenTurn, line: NewLine): Promise<void> {
  const { deps, adventureId, events } = turn
  const { lineId, isDropped } = await writeWhenFree(turn, (tx, now) => {
    updateSent(tx, adventureId, line.typed, line.form)
    const waiting = findWaiting(tx, adventureId, line)
    if (waiting !== null) return { lineId: waiting, isDropped: false }
    const isDropped = deleteInterrupted(tx, adventureId)
    return { lineId: insertLine(tx, adventureId, line, now), isDropped }
  })
  const action = actionView(getAction(deps.library.reader, adventureId, lineId), true)
  events.push({ type: 'player', action, ...(isDropped ? { dropped: true } : {}) })
}

// The same line sent again is the one that still waits for a reply: it is not added twice, and no dice are thrown again.
function findWaiting(reader: Reader, adventureId: number, { line, found }: NewLine): number | null {
  const newest = findNewest(reader, adventureId)
  const isSame = newest?.type === line.type && newest.text === line.text
  return newest && isSame && (found === null || newest.roll !== null) ? newest.id : null
}

function insertLine(tx: Writer, adventureId: number, { line, found }: NewLine, now: Date): number {
  const world = getWorld(tx, adventureId)
  const { state } = world
  const index = (findNewest(tx, adventureId)?.index ?? -1) + 1
  const roll = found && rollFor(world, found, state)
  return insertAction(tx, { adventure_id: adventureId, index, ...line, world_state_before: state, roll }, now)
}
