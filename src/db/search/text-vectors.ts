import { passageInContext } from '../../domain/recall/embedded-text.ts'
import {
  type SmallVector,
  smallVector,
  smallVectorFromBytes,
  smallVectorToBytes,
  vectorFromBytes,
} from '../../domain/recall/vectors.ts'
import { hashOf } from '../../lib/hash.ts'
import { countBelow } from '../../lib/numbers.ts'
import { isBlank } from '../../lib/text.ts'
import { StoryCache } from '../cache/story-cache.ts'
import type { Reader, Writer } from '../database.ts'
import { rowidOf } from './searchable-rows.ts'
import { storyOrder } from './story-order.ts'
import { readTexts, type StoryText, storyNotes } from './story-texts.ts'

interface TextVector {
  model: string
  hash: string
  vector: SmallVector
}

interface VectorRow {
  id: number
  model: string
  hash: string
  vector: Uint8Array
}

/** Passages that are compared, the newest: more would hold up other stories for over 50 ms. */
export const MAX_COMPARED = 50_000
/** Vectors that are read at once: half a millisecond. */
const CHUNK = 500
/** Approximate bytes of a vector besides its numbers. */
const BYTES = 150

/** By the rowids of the texts in the search index. */
export const textVectors = new StoryCache<Map<number, TextVector>>({
  table: 'text_vectors',
  *compute(reader, adventureId) {
    const vectors = new Map<number, TextVector>()
    const ids = reader.column<number>('SELECT id FROM text_vectors WHERE adventure_id = ?', adventureId)
    for (let i = 0; i < ids.length; i += CHUNK) {
      read(vectors, reader, adventureId, ids.slice(i, i + CHUNK))
      yield
    }
    return vectors
  },
  update: read,
  bytesOf: (vectors) => {
    const [first] = vectors.values()
    return vectors.size * (BYTES + (first?.vector.values.length ?? 0))
  },
})

/** Some texts that have no vector from a model yet; with the numbers of all texts and of those without. */
export function pendingTexts(
  reader: Reader,
  adventureId: number,
  { model, before, limit }: { model: string; before: number; limit: number },
): { texts: StoryText[]; left: number; all: number } {
  const vectors = textVectors.get(reader, adventureId)
  const { ids, indexes } = storyOrder(reader, adventureId)
  const earlier = ids.slice(0, countBelow(indexes, before)).slice(-MAX_COMPARED)
  const comparable = [...storyNotes.get(reader, adventureId), ...earlier]
  const pending = comparable.filter((id) => vectors.get(id)?.model !== model)
  const texts = readTexts(reader, adventureId, pending.slice(0, limit))
  return { texts, left: pending.length, all: comparable.length }
}

export function hasVectors(reader: Reader, adventureId: number, model: string): boolean {
  const sql = 'SELECT 1 FROM text_vectors WHERE adventure_id = ? AND model = ? LIMIT 1'
  return reader.get(sql, adventureId, model) !== null
}

export function hashOfEmbedded(text: Pick<StoryText, 'text' | 'before'>): string {
  return hashOf(passageInContext(text))
}

/** Does nothing if the text or the passage before it has changed. A blank one gets an empty vector. */
export function upsertVector(
  tx: Writer,
  adventureId: number,
  embedded: StoryText,
  { model, vector }: { model: string; vector: Float32Array },
): void {
  const { id, text } = embedded
  const text_hash = hashOfEmbedded(embedded)
  deleteVector(tx, id)
  const [now] = readTexts(tx, adventureId, [id])
  if (!now || hashOfEmbedded(now) !== text_hash) return
  tx.insert('text_vectors', {
    ...{ id, adventure_id: adventureId, model, text_hash },
    vector: isBlank(text) ? new Uint8Array() : smallVectorToBytes(smallVector(vector)),
  })
}

export function deleteVector(tx: Writer, id: number): void {
  tx.run('DELETE FROM text_vectors WHERE id = ?', id)
}

/** Also those of the passage after it. Must be called after the row was written. */
export function deleteOutdatedVectors(tx: Writer, rowid: number): void {
  const stored = tx.all<{ id: number; adventure_id: number }>(
    `SELECT id, adventure_id FROM text_vectors WHERE id = ?1 OR id IN
      (SELECT later.id FROM actions own JOIN actions later ON later.adventure_id = own.adventure_id
        AND (later."index", later.id) > (own."index", own.id) WHERE own.id = ?1 ORDER BY later."index", later.id LIMIT 1)`,
    rowid,
  )
  for (const { id, adventure_id } of stored) {
    const [now] = readTexts(tx, adventure_id, [id])
    tx.run('DELETE FROM text_vectors WHERE id = ? AND text_hash <> ?', id, now ? hashOfEmbedded(now) : '')
  }
}

/** `copies` are pairs of rowids. */
export function copyVectors(tx: Writer, copies: readonly [from: number, to: number][], to: number): void {
  tx.run(
    `INSERT OR IGNORE INTO text_vectors (id, adventure_id, model, text_hash, vector)
      SELECT value ->> 1, ?, model, text_hash, vector FROM json_each(?) JOIN text_vectors v ON v.id = value ->> 0`,
    to,
    JSON.stringify(copies),
  )
}

/** Takes over the vectors of notes, which memories had in a column of the earlier release, as 32-bit floats. */
export function convertMemoryVectors(tx: Writer): void {
  const rows = tx.all<{ id: number; adventure_id: number; model: string }>(
    `SELECT id, adventure_id, embedding_model AS model FROM memories
      WHERE embedded AND embedding_model IS NOT NULL AND source_end IS NULL AND typeof(embedding_blob) = 'blob'`,
  )
  for (const { id, adventure_id, model } of rows) {
    const [note] = readTexts(tx, adventure_id, [rowidOf('memory', id)])
    const blob = tx.value<Uint8Array>('SELECT embedding_blob FROM memories WHERE id = ?', id)
    if (note && blob) upsertVector(tx, adventure_id, note, { model, vector: vectorFromBytes(blob) })
  }
}

function read(
  vectors: Map<number, TextVector>,
  reader: Reader,
  adventureId: number,
  ids: readonly number[],
): void {
  for (const id of ids) vectors.delete(id)
  const rows = reader.all<VectorRow>(
    `SELECT id, model, text_hash AS hash, vector FROM text_vectors
      WHERE id IN (SELECT value FROM json_each(?)) AND +adventure_id = ?`,
    JSON.stringify(ids),
    adventureId,
  )
  for (const { id, model, hash, vector } of rows)
    vectors.set(id, { model, hash, vector: smallVectorFromBytes(vector) })
}
