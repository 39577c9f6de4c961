import type { ChangeLog } from '../cache/change-log.ts'
import type { Reader } from '../database.ts'

/** The passages of a story by their places, counted from 0. */
export interface StoryOrder {
  ids: number[]
  indexes: number[]
  /** The places in the order of the ids; null where both orders are the same. */
  byId: number[] | null
}

/** Stories of which the order is kept. One of 100,000 passages takes 2 MB. */
const MAX_STORIES = 8

const kept = new WeakMap<ChangeLog, Map<number, { order: StoryOrder; epoch: number }>>()

/**
 * The order of a story. It is kept, because reading 100,000 ids takes 10 ms. A story changes at its end, which is looked at
 * each time, and must then have as many passages as it says; what another program writes shows in the epoch of the log.
 */
export function storyOrder(reader: Reader, adventureId: number): StoryOrder {
  const known = keptOrder(reader, adventureId)
  if (known) return known
  const order = readOrder(reader, adventureId)
  const epoch = reader.changes?.position()?.epoch
  if (!reader.changes || epoch === undefined) return order
  const stories = kept.get(reader.changes) ?? new Map<number, { order: StoryOrder; epoch: number }>()
  kept.set(reader.changes, stories)
  stories.set(adventureId, { order, epoch })
  const [oldest] = stories.keys()
  if (stories.size > MAX_STORIES && oldest !== undefined) stories.delete(oldest)
  return order
}

/** Null if it is not in memory, or outdated. */
export function keptOrder(reader: Reader, adventureId: number): StoryOrder | null {
  const stories = reader.changes && kept.get(reader.changes)
  const known = stories?.get(adventureId)
  if (!stories || !known) return null
  stories.delete(adventureId)
  const isCurrent = known.epoch === reader.changes?.position()?.epoch
  if (!isCurrent || !followEnd(known.order, reader, adventureId)) return null
  stories.set(adventureId, known)
  return known.order
}

export function countPassages(reader: Reader, adventureId: number): number {
  return reader.value('SELECT action_count FROM adventures WHERE id = ?', adventureId) ?? 0
}

/** The places of passages in order, by their ids in order. Leaves out those of other stories. */
export function placesOf(
  { ids, byId }: Pick<StoryOrder, 'ids' | 'byId'>,
  wanted: readonly number[],
): number[] {
  const idAt = (at: number) => ids[byId?.[at] ?? at] ?? 0
  const places: number[] = []
  let at = 0
  for (const id of wanted) {
    // Steps grow from where the last one was found, because a walk over all takes longer the longer the story is.
    let step = 1
    while (at + step < ids.length && idAt(at + step) <= id) step *= 2
    let [low, high] = [at, Math.min(at + step, ids.length)]
    while (low < high) {
      const middle = (low + high) >> 1
      if (idAt(middle) < id) low = middle + 1
      else high = middle
    }
    at = low
    if (at < ids.length && idAt(at) === id) places.push(byId?.[at] ?? at)
  }
  return byId === null ? places : places.sort((one, other) => one - other)
}

function readOrder(reader: Reader, adventureId: number): StoryOrder {
  // One row, because the cells of each are looked at.
  const list = reader.value<string>(
    `SELECT json_group_array(json_array(id, "index")) FROM
      (SELECT id, "index" FROM actions WHERE adventure_id = ? ORDER BY "index", id)`,
    adventureId,
  )
  const rows: [id: number, index: number][] = JSON.parse(list ?? '[]')
  const ids = rows.map(([id]) => id)
  const isOrdered = ids.every((id, place) => place === 0 || id > (ids[place - 1] ?? 0))
  const byId = isOrdered ? null : ids.map((_, place) => place).sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0))
  return { ids, indexes: rows.map(([, index]) => index), byId }
}

/** Appends new passages and removes deleted ones at the end of a story. False if something else has changed. */
function followEnd({ ids, indexes, byId }: StoryOrder, reader: Reader, adventureId: number): boolean {
  if (byId !== null) return false
  const last = ids.slice(-MAX_UNDONE)
  const rows = reader.all<{ id: number; index: number }>(
    `SELECT id, "index" FROM actions
      WHERE adventure_id = ? AND "index" >= ? ORDER BY "index", id LIMIT ?`,
    adventureId,
    indexes.at(-last.length) ?? 0,
    2 * MAX_UNDONE,
  )
  ids.length -= last.length
  indexes.length = ids.length
  for (const { id, index } of rows) {
    if (id <= (ids.at(-1) ?? 0)) return false
    ids.push(id)
    indexes.push(index)
  }
  return ids.length === countPassages(reader, adventureId)
}

/** Passages at the end of a story that are read again. */
const MAX_UNDONE = 16
