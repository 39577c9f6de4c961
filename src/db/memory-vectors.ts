import type { VectorHit } from '../domain/recall/recall.ts'
import { cosine, packed, unpacked } from '../domain/recall/vectors.ts'
import type { Reader, Writer } from './database.ts'

/** Memories that have no vector of this model yet. */
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

/** How many memories of a story have a vector of this model, and how many there are. */
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

/** Keeps the vector of a memory, unless its words have changed since. `vector` has the length 1. */
export function keepVector(tx: Writer, id: number, text: string, model: string, vector: Float32Array): void {
  tx.run(
    'UPDATE memories SET embedding_blob = ?, embedded = 1, embedding_model = ? WHERE id = ? AND text = ?',
    packed(vector),
    model,
    id,
    text,
  )
}

type Row = Omit<VectorHit, 'cosine' | 'pinned'> & { pinned: number; embedding_blob: Uint8Array }

/** The memories that end before an index, nearest to a vector of the same model first. */
export function nearestMemories(
  reader: Reader,
  adventureId: number,
  model: string,
  vector: Float32Array,
  endingBefore: number,
  limit: number,
): VectorHit[] {
  return reader
    .all<Row>(
      `SELECT id, text, source_end, pinned, embedding_blob FROM memories
        WHERE adventure_id = ? AND NOT forgotten AND NOT stale AND embedded AND embedding_model = ?
          AND (source_end IS NULL OR source_end < ?)`,
      adventureId,
      model,
      endingBefore,
    )
    .map(({ embedding_blob, pinned, ...memory }) => ({
      ...memory,
      pinned: pinned !== 0,
      cosine: cosine(vector, unpacked(embedding_blob)),
    }))
    .sort((one, other) => other.cosine - one.cosine)
    .slice(0, limit)
}
