import type { Writer } from '../../db/database.ts'
import { listNewest } from '../../db/tables/actions/list.ts'
import { getVariants } from '../../db/tables/actions/variants.ts'
import { updateLiveVariant, updateWorldBeforeAfter } from '../../db/tables/actions/write.ts'
import { getWorld, updateWorldState } from '../../db/tables/adventures.ts'
import { isPlayerLine } from '../../domain/action.ts'
import { recordDelta } from '../../domain/world/delta-report.ts'
import { unlessAborted } from '../../lib/abort.ts'
import { printError } from '../../lib/print.ts'
import type { Early } from '../runtime/recordings.ts'
import { doneEvent, removedEvent } from '../turn/end-events.ts'
import type { Reply } from '../turn/reply/reply.ts'
import { type SavedReply, writeWhenFree } from '../turn/reply/save-reply.ts'
import { StatusReporter } from '../turn/reply/status-reporter.ts'
import type { OpenTurn, Turn } from '../turn/turn.ts'
import type { TurnEventOf } from '../turn/turn-events.ts'
import { liveFrom } from '../turn/variants.ts'
import { askForChanges, type ChangesQuestion, RECORDING_TIMEOUT } from './ask-for-changes.ts'

/** A stored reply whose stat changes are asked for. */
interface Recording {
  saved: SavedReply
  told: TurnEventOf<'told'>
  question: ChangesQuestion
  /** The place in the call queue, given up when the model has answered. */
  place: Disposable
  early: Early
}

/**
 * Asks for the stat changes of a stored reply and adds them to it in a second commit, if it is still the live one and
 * unchanged; then `done` (docs/rules.md 4.12). Never throws.
 */
export async function recordChanges(turn: Turn, recording: Recording): Promise<void> {
  const { saved, told, question, place, early } = recording
  try {
    const second = await answerOf(turn, question, place, early.signal)
    const reply = { ...question.reply, second }
    await writeWhenFree(turn, (tx) => writeChanges(tx, turn, recording, reply))
  } catch (error) {
    printError('The changes of a turn could not be recorded', error)
  }
  turn.events.push(endEvent(turn, saved.actionId, told))
}

function endEvent(turn: Turn, actionId: number, told: TurnEventOf<'told'>): TurnEventOf<'done'> {
  try {
    return doneEvent(turn, actionId, told.notice ?? '')
  } catch {
    return removedEvent(told)
  }
}

async function answerOf(turn: Turn, question: ChangesQuestion, place: Disposable, early: AbortSignal) {
  using _ = place
  return askForChanges(turn, question, early)
}

function writeChanges(tx: Writer, { adventureId }: Turn, { saved, early }: Recording, reply: Reply): void {
  const { actionId, variantIndex, target } = saved
  if (early.isChanged) return
  const action = listNewest(tx, adventureId, MAX_LINES).find(({ type }) => !isPlayerLine(type))
  if (action?.id !== actionId || action.variant_index !== variantIndex || action.text !== reply.text) return
  const { variants } = getVariants(tx, actionId)
  const variant = variants[variantIndex]
  const { schema } = getWorld(tx, adventureId)
  if (variant === undefined || schema === null) return
  const world_state = recordDelta(schema, target, reply)
  const recorded = { ...variant, world_state }
  updateLiveVariant(tx, actionId, {
    ...liveFrom(recorded),
    variants: variants.with(variantIndex, recorded),
    variant_index: variantIndex,
  })
  updateWorldState(tx, adventureId, world_state.state)
  // A line that the player has sent in the meantime belongs to the world after the changes.
  updateWorldBeforeAfter(tx, action, world_state.state)
}

/** The most lines of the player that can stand after the newest reply; more are never stored in so short a time. */
const MAX_LINES = 10

/**
 * Waits until the changes of the turn before are recorded, so that the next prompt knows them. Stop skips the wait, and so
 * does a client that left.
 */
export async function waitForRecording({ deps, adventureId, events, disconnected }: OpenTurn): Promise<void> {
  if (!deps.recordings.isRunning(adventureId)) return
  using status = new StatusReporter(RECORDING_TIMEOUT, events, deps.now)
  status.report('recording')
  const signal = AbortSignal.any([disconnected, deps.closing])
  await unlessAborted(deps.recordings.ended(adventureId), signal).catch(() => {})
}

/** Waits for the changes of the turn before. A wait that is skipped ends the recording, which then changes no stat. */
export async function settleRecording(turn: OpenTurn): Promise<void> {
  await waitForRecording(turn)
  turn.deps.recordings.end(turn.adventureId, 'changed')
}
