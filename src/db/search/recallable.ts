import type { MemoryCandidate } from '../../domain/recall/recall.ts'
import { type SmallVector, smallVector, vectorFromBytes } from '../../domain/recall/vectors.ts'
import { StoryCache } from '../cache/story-cache.ts'
import type { Reader } from '../database.ts'

/** A memory that may be recalled: neither forgotten nor stale. */
export interface RecallableMemory {
  id: number
  /** The index of the last action that it covers; null for one that the player wrote. */
  source_end: number | null
  pinned: boolean
  /** The embedding model of its vector; null without one. */
  model: string | null
  vector: SmallVector | null
  /** How near the vector is to the one that all lines resemble; null before it was compared. */
  neutral: Compared | null
  /** How near it is to the newest passage. */
  passages: Compared | null
}

interface Compared {
  vector: Float32Array
  cosine: number
}

type Row = Pick<RecallableMemory, 'id' | 'source_end' | 'model'> &
  Record<'pinned' | 'embedded', number> & { embedding_blob: Uint8Array | null }

/** Memories that are read at once: with their vectors, a millisecond or two. */
const CHUNK = 100
/** About what a memory takes besides its vector. */
const BYTES = 200

/** The memories of a story that may be recalled, by their ids, in the order of their ids. */
export const recallable = new StoryCache<Map<number, RecallableMemory>>({
  table: 'memories',
  *compute(reader, adventureId) {
    const memories = new Map<number, RecallableMemory>()
    const ids = reader.column<number>(
      'SELECT id FROM memories WHERE adventure_id = ? AND forgotten = 0 ORDER BY id',
      adventureId,
    )
    for (let i = 0; i < ids.length; i += CHUNK) {
      read(memories, reader, adventureId, ids.slice(i, i + CHUNK))
      yield
    }
    return memories
  },
  update(memories, reader, adventureId, ids) {
    read(memories, reader, adventureId, ids)
    const ordered = [...memories].sort(([one], [other]) => one - other)
    memories.clear()
    for (const [id, memory] of ordered) memories.set(id, memory)
  },
  bytesOf: (memories) => {
    const [first] = memories.values()
    return memories.size * (BYTES + (first?.vector?.values.length ?? 0))
  },
})

/** Whether a memory covers only actions before an index. Later ones are still in the prompt. */
export function endsBefore({ source_end }: Pick<RecallableMemory, 'source_end'>, index: number): boolean {
  return source_end === null || source_end < index
}

/** Memories by their ids, in that order, with their texts. Leaves out those that may not be recalled. */
export function listCandidates(
  reader: Reader,
  adventureId: number,
  ids: readonly number[],
): Omit<MemoryCandidate, 'bm25'>[] {
  if (ids.length === 0) return []
  const memories = recallable.get(reader, adventureId)
  const rows = reader.all<{ id: number; text: string }>(
    'SELECT id, text FROM memories WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  )
  const texts = new Map(rows.map(({ id, text }) => [id, text]))
  return ids.flatMap((id) => {
    const [memory, text] = [memories.get(id), texts.get(id)]
    return memory && text !== undefined
      ? [{ id, text, source_end: memory.source_end, pinned: memory.pinned }]
      : []
  })
}

function read(
  memories: Map<number, RecallableMemory>,
  reader: Reader,
  adventureId: number,
  ids: number[],
): void {
  for (const id of ids) memories.delete(id)
  const rows = reader.all<Row>(
    `SELECT id, source_end, pinned, embedded, embedding_model AS model, embedding_blob FROM memories
      WHERE id IN (SELECT value FROM json_each(?)) AND +adventure_id = ? AND NOT forgotten AND NOT stale ORDER BY id`,
    JSON.stringify(ids),
    adventureId,
  )
  for (const { id, source_end, pinned, embedded, model, embedding_blob: blob } of rows) {
    const vector = embedded && blob instanceof Uint8Array ? smallVector(vectorFromBytes(blob)) : null
    const compared = { neutral: null, passages: null }
    memories.set(id, { id, source_end, pinned: pinned !== 0, model, vector, ...compared })
  }
}
