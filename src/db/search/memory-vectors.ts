import type { VectorHit } from '../../domain/recall/recall.ts'
import { rankByLine, rankByPassages } from '../../domain/recall/standing-out.ts'
import { dotProduct, type VectorQuery, vectorToBytes } from '../../domain/recall/vectors.ts'
import type { Reader, Writer } from '../database.ts'
import { endsBefore, recallable } from './recallable.ts'

/** Memories that do not have a vector from this model yet. */
export function pendingVectors(
  reader: Reader,
  adventureId: number,
  model: string,
  limit: number,
): { id: number; text: string }[] {
  return reader.all(
    `SELECT id, text FROM memories WHERE adventure_id = ? AND NOT forgotten AND NOT stale
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
       FROM memories WHERE adventure_id = ? AND NOT forgotten`,
    model,
    adventureId,
  )
  return row ?? { have: 0, all: 0 }
}

/** Whether a memory of a story has a vector from this model. */
export function hasVectors(reader: Reader, adventureId: number, model: string): boolean {
  const sql =
    'SELECT 1 FROM memories WHERE adventure_id = ? AND embedded AND embedding_model = ? AND NOT forgotten LIMIT 1'
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

/**
 * The memories of passages before an index by their nearness to each vector of a query, best first: to the line and to
 * the passages, where there are such. All memories of the story count for what is usual in it.
 */
export function rankByVectors(
  reader: Reader,
  adventureId: number,
  { model, line, passages, neutral }: VectorQuery,
  endingBefore: number,
): VectorHit[][] {
  const memories = [...recallable.get(reader, adventureId).values()].filter(
    (memory) => memory.vector !== null && memory.model === model,
  )
  const cosines = (vector: Float32Array) => {
    const query = Float64Array.from(vector)
    return memories.map((memory) => (memory.vector === null ? 0 : dotProduct(memory.vector, query)))
  }
  const rankings = [
    line ? rankByLine(cosines(line), cosines(neutral)) : [],
    passages ? rankByPassages(cosines(passages)) : [],
  ]
  return rankings.map((ranking) => {
    const hits: VectorHit[] = []
    for (const { index, standsOut, fits } of ranking) {
      const memory = memories[index]
      if (memory && endsBefore(memory, endingBefore)) hits.push({ id: memory.id, standsOut, fits })
    }
    return hits
  })
}
