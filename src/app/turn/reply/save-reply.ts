import type { Writer } from '../../../db/database.ts'
import { invalidateFrom } from '../../../db/stories/invalidate.ts'
import { insertSnapshot } from '../../../db/tables/actions/snapshots.ts'
import { insertReply, updateLiveVariant } from '../../../db/tables/actions/write.ts'
import {
  type AdventureWorld,
  getWorld,
  pinSchema,
  updateEpoch,
  updateWorldState,
} from '../../../db/tables/adventures.ts'
import { updateMemoryUse } from '../../../db/tables/memory/memories.ts'
import { deleteInterrupted, deleteSteering } from '../../../db/tables/waiting-lines.ts'
import { storedNotes } from '../../../domain/prompt/notes.ts'
import type { Variant } from '../../../domain/variant.ts'
import {
  NOT_ASKED,
  type RecorderResult,
  recordDelta,
  type TurnTarget,
} from '../../../domain/world/delta-report.ts'
import { hasStats } from '../../../domain/world/state.ts'
import { hashOf } from '../../../lib/hash.ts'
import { isRecorded, NOT_ANSWERED } from '../../recording/recorded-passage.ts'
import { whenFree } from '../../runtime/when-free.ts'
import type { Turn } from '../turn.ts'
import { storageFailure } from '../turn-failures.ts'
import { turnTarget } from '../turn-target.ts'
import { allVariants, liveFrom } from '../variants.ts'
import { learnFromReply } from './learn-from-reply.ts'
import type { Reply } from './reply.ts'

/**
 * Stores a complete reply in one transaction: as a new action, or as another version of the retried one. Returns the id of
 * the action. Throws storage_failed.
 */
export function saveReply(turn: Turn, reply: Reply): Promise<number> {
  return writeWhenFree(turn, (tx, now) => {
    updateEpoch(tx, turn.adventureId, reply.prompt.epoch)
    learnFromReply(tx, reply)
    return writeReply(tx, turn, reply, now)
  })
}

/** Writes in one transaction, and waits a while for a library file that is busy. Throws storage_failed. */
export async function writeWhenFree<T>(
  { deps }: Pick<Turn, 'deps'>,
  write: (tx: Writer, now: Date) => T extends PromiseLike<unknown> ? never : T,
): Promise<T> {
  const { library, now } = deps
  try {
    return await whenFree(deps, () => library.write((tx) => write(tx, now())))
  } catch (error) {
    throw storageFailure(error)
  }
}

/** Writes a complete reply: the action, its version, the world state and the snapshot of its prompt. */
export function writeReply(
  tx: Writer,
  turn: Pick<Turn, 'adventureId' | 'retried'>,
  reply: Reply,
  now: Date,
): number {
  const { adventureId, retried } = turn
  const { prompt } = reply
  const world = getWorld(tx, adventureId)
  deleteInterrupted(tx, adventureId)
  if (prompt.steering) deleteSteering(tx, adventureId, prompt.steering)
  if (retried) invalidateFrom(tx, adventureId, retried.index)
  const target = turnTarget(tx, turn, world)
  const { index, before } = target
  const recorder = isRecorded(tx, adventureId, { target, world, text: reply.text }) ? NOT_ANSWERED : NOT_ASKED
  const variant = makeVariant(reply, world, { target, recorder }, now)
  const variants = [...(retried ? allVariants(tx, retried, world) : []), variant]
  const live = {
    ...liveFrom(variant),
    variants,
    variant_index: variants.length - 1,
    context_snapshot: insertReplySnapshot(tx, adventureId, index, reply),
    prompt_notes: JSON.stringify(storedNotes(prompt.notes)),
  }
  const actionId =
    retried?.id ??
    insertReply(tx, { adventure_id: adventureId, index, world_state_before: before }, live, now)
  if (retried) updateLiveVariant(tx, actionId, live)
  const memoryIds = prompt.notes.memories.map(([memoryId]) => memoryId)
  updateMemoryUse(tx, memoryIds, now)
  if (variant.world_state) updateWorldState(tx, adventureId, variant.world_state.state)
  if (!world.pinned) pinSchema(tx, adventureId, world.schema)
  return actionId
}

function insertReplySnapshot(tx: Writer, adventureId: number, index: number, reply: Reply) {
  const { model, api_mode, temperature, max_output_tokens } = reply.request
  const settings = { model, api_mode, temperature, max_output_tokens }
  const { prompt, usage, timings } = reply
  return insertSnapshot(tx, { adventure_id: adventureId, index }, prompt, {
    settings,
    usage,
    timings,
  })
}

function makeVariant(
  { text, raw, reasoning, cut, prompt }: Reply,
  { schema }: AdventureWorld,
  { target, recorder }: { target: TurnTarget; recorder: RecorderResult },
  now: Date,
): Variant {
  const variant: Variant = { text, reasoning, created_at: now.toISOString(), cut, told_mark: hashOf(text) }
  if (raw !== text) variant.raw_output = raw
  if (target.roll) variant.roll = target.roll
  // A reply that an older version broke off has neither.
  if (prompt.steering) variant.steering = prompt.steering
  if (prompt.timing) variant.timing = prompt.timing
  if (!hasStats(schema)) return variant
  // A retry is judged at its own turn's index: cooldowns must not tick a second time.
  return { ...variant, world_state: recordDelta(schema, target, recorder) }
}
