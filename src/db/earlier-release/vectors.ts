import type { Database } from 'bun:sqlite'
import { vectorToBytes } from '../../domain/recall/vectors.ts'
import { parseListColumn } from '../column-values.ts'
import { hasColumn } from '../declared-columns.ts'

/** Packs the vectors of memories, which were stored as JSON lists. Skips anything that is not a list of numbers. */
export function packVectors(db: Database): void {
  if (!hasColumn(db, 'memories', 'embedding')) return
  const rows = db.query<{ id: number }, []>(
    'SELECT id FROM memories WHERE embedding IS NOT NULL AND embedding_blob IS NULL',
  )
  const listOf = db.query<{ embedding: string }, [number]>('SELECT embedding FROM memories WHERE id = ?')
  const update = db.query('UPDATE memories SET embedding_blob = ? WHERE id = ?')
  for (const { id } of rows.all()) {
    const vector = vectorFrom(listOf.get(id)?.embedding ?? null)
    if (vector) update.run(vectorToBytes(vector), id)
  }
}

function vectorFrom(embedding: string | null): Float32Array | null {
  const list = parseListColumn(embedding)
  if (list.length === 0 || list.some((value) => typeof value !== 'number')) return null
  const vector = Float32Array.from(list as number[])
  return vector.every(Number.isFinite) ? vector : null
}
