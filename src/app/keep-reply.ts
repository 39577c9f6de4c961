import { findNewest, getAttempts, insertAction, type Live, updateLive } from '../db/actions.ts'
import { getWorld, pinSchema, updateEpoch, updateWorldState, type World } from '../db/tables/adventures.ts'
import type { Reader, Writer } from '../db/database.ts'
import { forget } from '../db/forget.ts'
import { useMemories } from '../db/tables/memories.ts'
import { insertSnapshot } from '../db/snapshots.ts'
import type { Action } from '../domain/action.ts'
import { StoryError } from '../domain/errors.ts'
import { markOf } from '../lib/hash.ts'
import { keptNotes } from '../domain/prompt/notes.ts'
import { isRewritten, type Variant } from '../domain/variant.ts'
import { isObject } from '../lib/objects.ts'
import { record } from '../domain/world/delta-report.ts'
import { hasStats, type WorldState } from '../domain/world/state.ts'
import type { Deps } from './deps.ts'
import { learnFrom } from './model-facts.ts'
import { storing } from './storing.ts'
import type { Reply } from './tell-reply.ts'

/** Milliseconds for which a finished reply waits for a busy file, and between two tries. */
const PATIENCE = 5_000
const BETWEEN = 100

/** Stores a whole reply, in one piece: as a new action, or as one more attempt at `retried`. Gives the action's id. */
export async function keepReply(
  deps: Deps,
  adventureId: number,
  retried: Action | null,
  reply: Reply,
): Promise<number> {
  const until = deps.now().getTime() + PATIENCE
  for (;;) {
    try {
      return deps.library.write((tx) => keep(tx, adventureId, retried, reply, deps.now()))
    } catch (error) {
      const isBusy = error instanceof StoryError && error.code === 'library_busy'
      if (!isBusy || deps.now().getTime() > until) return storing(() => rethrow(error))
    }
    await new Promise((resolve) => setTimeout(resolve, BETWEEN))
  }
}

function keep(tx: Writer, adventureId: number, retried: Action | null, reply: Reply, now: Date): number {
  const world = getWorld(tx, adventureId)
  if (retried) forget(tx, adventureId, retried.index)
  const told = retried
    ? anotherAttempt(tx, adventureId, retried, world)
    : newAction(tx, adventureId, world, now)
  const attempt = attemptFrom(reply, world, told, now)
  const { model, api_mode, temperature, max_output_tokens } = reply.telling
  const settings = { model, api_mode, temperature, max_output_tokens }
  const { usage, timings } = reply
  const snapshot = insertSnapshot(tx, adventureId, told.index, reply.prompt, { settings, usage, timings })
  const variants = [...told.variants, attempt]
  updateLive(tx, told.id, {
    ...liveFrom(attempt),
    variants,
    variant_index: variants.length - 1,
    context_snapshot: snapshot,
    prompt_notes: JSON.stringify(keptNotes(reply.prompt.notes)),
  })
  updateEpoch(tx, adventureId, reply.prompt.epoch)
  learnFrom(tx, reply)
  useMemories(
    tx,
    reply.prompt.notes.memories.map(([id]) => id),
    now,
  )
  if (attempt.world_state) updateWorldState(tx, adventureId, attempt.world_state.state)
  if (!world.pinned) pinSchema(tx, adventureId, world.schema)
  return told.id
}

interface Told {
  id: number
  index: number
  before: WorldState
  variants: Variant[]
}

/** Where a reply is judged: at which index, and against which world. A retry plays its own turn again. */
export function placeOf(
  reader: Reader,
  adventureId: number,
  retried: Action | null,
  { state }: World,
): Pick<Told, 'index' | 'before'> {
  if (retried === null) return { index: (findNewest(reader, adventureId)?.index ?? -1) + 1, before: state }
  return { index: retried.index, before: getAttempts(reader, retried.id).world_state_before ?? state }
}

function newAction(tx: Writer, adventureId: number, world: World, now: Date): Told {
  const { index, before } = placeOf(tx, adventureId, null, world)
  const action = { adventure_id: adventureId, index, type: 'ai', text: '', world_state_before: before }
  return { id: insertAction(tx, action, now), index, before, variants: [] }
}

// An attempt that was never listed, because the row is older than the list, is frozen with the one that follows it.
function anotherAttempt(tx: Writer, adventureId: number, retried: Action, world: World): Told {
  const { variants } = getAttempts(tx, retried.id)
  const first = variants.length > 0 ? variants : [implicitAttempt(retried, world)]
  return { id: retried.id, ...placeOf(tx, adventureId, retried, world), variants: first }
}

/** The one attempt of a row without a list, with the world as it is now: the row is the newest. */
export function implicitAttempt(action: Action, world: World): Variant {
  const { text, reasoning, created_at, cut, world_delta } = action
  const attempt: Variant = { text, reasoning, created_at, cut }
  if (!hasStats(world.schema)) return attempt
  const { delta, ...report } = isObject(world_delta) ? world_delta : {}
  const lists = { applied: [], clamped: [], rejected: [], ...report }
  return {
    ...attempt,
    world_state: { delta: isObject(delta) ? delta : {}, report: lists, state: world.state },
  }
}

function attemptFrom(reply: Reply, { schema }: World, { before, index }: Told, now: Date): Variant {
  const { text, raw, reasoning, cut } = reply
  const attempt: Variant = { text, reasoning, created_at: now.toISOString(), cut, told_mark: markOf(text) }
  if (raw !== text) attempt.raw_output = raw
  if (!hasStats(schema)) return attempt
  // A retry is judged at its own turn's index: cooldowns must not tick a second time.
  return { ...attempt, world_state: record(schema, markOf(JSON.stringify(schema)), before, reply, index) }
}

/** What the row mirrors of its live attempt. */
export function liveFrom(
  attempt: Variant,
): Omit<Live, 'variants' | 'variant_index' | 'context_snapshot' | 'prompt_notes'> {
  const { text, reasoning, cut, raw_output, world_state } = attempt
  const { block, clean, ...report } = isObject(world_state?.report) ? world_state.report : {}
  return {
    text,
    reasoning,
    cut: cut ?? null,
    raw_output: raw_output ?? null,
    world_delta: world_state ? { delta: world_state.delta, ...report } : null,
    state_block: typeof block === 'string' ? block : null,
    replays_raw:
      raw_output !== undefined && !isRewritten(attempt) && (world_state === undefined || clean === true),
  }
}

function rethrow(error: unknown): never {
  throw error
}
