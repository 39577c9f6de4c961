import type { Database } from 'bun:sqlite'
import { packed } from '../../domain/recall/vectors.ts'
import { hasColumn } from '../database.ts'
import { readList } from '../stored.ts'

/** Packs the vectors of memories, which were lists in JSON. What is no list of numbers is left alone. */
export function packVectors(db: Database): void {
  if (!hasColumn(db, 'memories', 'embedding')) return
  const rows = db.query<{ id: number }, []>(
    'SELECT id FROM memories WHERE embedding IS NOT NULL AND embedding_blob IS NULL',
  )
  const listOf = db.query<{ embedding: string }, [number]>('SELECT embedding FROM memories WHERE id = ?')
  const keep = db.query('UPDATE memories SET embedding_blob = ? WHERE id = ?')
  for (const { id } of rows.all()) {
    const vector = vectorFrom(listOf.get(id)?.embedding ?? null)
    if (vector) keep.run(packed(vector), id)
  }
}

function vectorFrom(embedding: string | null): Float32Array | null {
  const list = readList(embedding)
  if (list.length === 0 || list.some((value) => typeof value !== 'number')) return null
  const vector = Float32Array.from(list as number[])
  return vector.every(Number.isFinite) ? vector : null
}
