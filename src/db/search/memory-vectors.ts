import type { VectorHit } from '../../domain/recall/recall.ts'
import { judgeByLine, judgeByPassages } from '../../domain/recall/standing-out.ts'
import { dotProduct, type VectorQuery, vectorToBytes } from '../../domain/recall/vectors.ts'
import { countBelow } from '../../lib/numbers.ts'
import type { Reader, Writer } from '../database.ts'
import { endsBefore, type RecallableMemory, recallable } from './recallable.ts'

/** Memories that do not have a vector from this model yet. */
export function pendingVectors(
  reader: Reader,
  adventureId: number,
  model: string,
  limit: number,
): { id: number; text: string }[] {
  return reader.all(
    `SELECT id, text FROM memories WHERE adventure_id = ? AND forgotten = 0 AND NOT stale
        AND (NOT embedded OR embedding_model IS NOT ?) ORDER BY id LIMIT ?`,
    adventureId,
    model,
    limit,
  )
}

/** How many memories of a story have a vector from this model, and how many there are in all. */
export function countVectors(
  reader: Reader,
  adventureId: number,
  model: string,
): { have: number; all: number } {
  const row = reader.get<{ have: number; all: number }>(
    `SELECT count(*) FILTER (WHERE embedded AND embedding_model IS ?) AS have, count(*) AS "all"
       FROM memories WHERE adventure_id = ? AND forgotten = 0`,
    model,
    adventureId,
  )
  return row ?? { have: 0, all: 0 }
}

/** Whether a memory of a story has a vector from this model. */
export function hasVectors(reader: Reader, adventureId: number, model: string): boolean {
  const sql =
    // The newest first: a long story has thousands of forgotten ones before them.
    `SELECT 1 FROM memories WHERE adventure_id = ? AND embedded AND embedding_model = ? AND NOT forgotten
      ORDER BY id DESC LIMIT 1`
  return reader.get(sql, adventureId, model) !== null
}

/** Stores the vector of a memory, unless its text has changed in the meantime. `vector` is normalised to length 1. */
export function updateVector(
  tx: Writer,
  id: number,
  { text, model, vector }: { text: string; model: string; vector: Float32Array },
): void {
  tx.run(
    'UPDATE memories SET embedding_blob = ?, embedded = 1, embedding_model = ? WHERE id = ? AND text = ?',
    vectorToBytes(vector),
    model,
    id,
    text,
  )
}

/** What is asked of the vectors of memories. */
interface Ranked {
  /** Memories that reach this passage are not ranked, because it is still in the prompt. */
  endingBefore: number
  /** The memories whose rank counts, besides those that stand out. */
  ids: readonly number[]
}

/**
 * Where memories stand by their nearness to each vector of a query: to the line and to the passages, where there are such.
 * All memories of the story count for what is usual in it.
 */
export function rankByVectors(
  reader: Reader,
  adventureId: number,
  { model, line, passages, neutral }: VectorQuery,
  { endingBefore, ids }: Ranked,
): VectorHit[][] {
  const memories = comparableMemories(reader, adventureId, model)
  const judgements = [
    ...(line ? [judgeByLine(cosinesTo(line, memories), keptCosines('neutral', neutral, memories))] : []),
    ...(passages ? [judgeByPassages(keptCosines('passages', passages, memories))] : []),
  ]
  const isRanked = memories.map((memory) => endsBefore(memory, endingBefore))
  const asked = new Set(ids)
  const known = memories.flatMap(({ id }, index) => (asked.has(id) ? [index] : []))
  return judgements.map(({ scores, outstanding, fits }) => {
    const ranked = scores.filter((_, index) => isRanked[index]).sort()
    const hits = [...new Set([...outstanding, ...known])].filter((index) => isRanked[index])
    return hits.map((index) => ({
      id: memories[index]?.id ?? 0,
      rank: ranked.length - countBelow(ranked, scores[index] ?? 0),
      standsOut: outstanding.includes(index),
      fits: fits(index),
    }))
  })
}

/** Compares the memories of a story with what more than one query looks for, so that {@link rankByVectors} need not. */
export function compareMemories(
  reader: Reader,
  adventureId: number,
  { model, passages, neutral }: Omit<VectorQuery, 'line'>,
): void {
  const memories = comparableMemories(reader, adventureId, model)
  keptCosines('neutral', neutral, memories)
  if (passages) keptCosines('passages', passages, memories)
}

function comparableMemories(reader: Reader, adventureId: number, model: string): RecallableMemory[] {
  return [...recallable.get(reader, adventureId).values()].filter(
    (memory) => memory.vector !== null && memory.model === model,
  )
}

// Loops, because a function that is called for each number takes as long as its product.
function cosinesTo(vector: Float32Array, memories: readonly RecallableMemory[]): Float32Array {
  const query = Float64Array.from(vector)
  const cosines = new Float32Array(memories.length)
  for (let i = 0; i < cosines.length; i++) cosines[i] = cosineTo(query, memories[i])
  return cosines
}

/** The same for a vector that more than one query has: the cosine stays with a memory as long as the vector is the same. */
function keptCosines(
  of: 'neutral' | 'passages',
  vector: Float32Array,
  memories: readonly RecallableMemory[],
): Float32Array {
  const query = Float64Array.from(vector)
  const cosines = new Float32Array(memories.length)
  for (const [i, memory] of memories.entries()) {
    const kept = memory[of]?.vector === vector ? memory[of] : { vector, cosine: cosineTo(query, memory) }
    memory[of] = kept
    cosines[i] = kept.cosine
  }
  return cosines
}

function cosineTo(query: Float64Array, memory: RecallableMemory | undefined): number {
  return memory?.vector ? dotProduct(memory.vector, query) : 0
}
