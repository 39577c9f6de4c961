import { passageInContext } from '../../domain/recall/embedded-text.ts'
import { meaningOf, passageQuery } from '../../domain/recall/meaning.ts'
import {
  dotProduct,
  type SmallVector,
  smallVector,
  smallVectorFromBytes,
  smallVectorToBytes,
  type VectorQuery,
} from '../../domain/recall/vectors.ts'
import { hashOf } from '../../lib/hash.ts'
import { countBelow } from '../../lib/numbers.ts'
import { isBlank } from '../../lib/text.ts'
import { StoryCache } from '../cache/story-cache.ts'
import type { Reader, Writer } from '../database.ts'
import { type StoryOrder, storyOrder } from './story-order.ts'

/** What a passage means to a model. */
interface PassageVector {
  model: string
  /** The hash of the text that was embedded. */
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
const MAX_COMPARED = 50_000
/** Vectors that are read at once: half a millisecond. */
const CHUNK = 500
/** About what one takes besides its numbers. */
const BYTES = 150

/** The vectors of a story's passages, by the ids of the passages. */
export const passageVectors = new StoryCache<Map<number, PassageVector>>({
  table: 'passage_vectors',
  *compute(reader, adventureId) {
    const vectors = new Map<number, PassageVector>()
    const sql = 'SELECT id FROM passage_vectors WHERE adventure_id = ?'
    const ids = reader.column<number>(sql, adventureId)
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

/** A passage to embed, with its whole text and that of the passage before it. */
interface PendingPassage {
  id: number
  text: string
  before: string
}

const SELECT_PASSAGES = `SELECT id, text, coalesce((SELECT text FROM actions earlier
    WHERE earlier.adventure_id = actions.adventure_id AND (earlier."index", earlier.id) < (actions."index", actions.id)
    ORDER BY earlier."index" DESC, earlier.id DESC LIMIT 1), '') AS before FROM actions`

/**
 * Of the passages before an index that may be compared, some without a vector from a model; how many there are in all, and
 * how many without.
 */
export function pendingPassages(
  reader: Reader,
  adventureId: number,
  { model, before, limit }: { model: string; before: number; limit: number },
): { passages: PendingPassage[]; left: number; all: number } {
  const vectors = passageVectors.get(reader, adventureId)
  const { ids, indexes } = storyOrder(reader, adventureId)
  const earlier = ids.slice(0, countBelow(indexes, before)).slice(-MAX_COMPARED)
  const pending = earlier.filter((id) => vectors.get(id)?.model !== model)
  const passages = reader.all<PendingPassage>(
    `${SELECT_PASSAGES} WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(pending.slice(0, limit)),
  )
  return { passages, left: pending.length, all: earlier.length }
}

/** Whether a passage of a story has a vector from this model. */
export function hasPassageVectors(reader: Reader, adventureId: number, model: string): boolean {
  const sql = 'SELECT 1 FROM passage_vectors WHERE adventure_id = ? AND model = ? LIMIT 1'
  return reader.get(sql, adventureId, model) !== null
}

/** What passages mean for a query, by places. */
interface PassageMeaning {
  all: Float32Array
  /** 0 for a passage that another program has written since it was embedded, or the one before it. */
  of: (place: number, passage: PendingPassage) => number
}

/** Null where nothing can be compared. */
export function passageMeaning(
  reader: Reader,
  adventureId: number,
  { ids }: StoryOrder,
  query: VectorQuery,
): PassageMeaning | null {
  const compared = passageQuery(query)
  const vectors = passageVectors.get(reader, adventureId)
  if (compared === null || vectors.size === 0) return null
  const first = ids.length - MAX_COMPARED
  const likeness = new Float32Array(ids.length)
  for (let place = 0; place < likeness.length; place++) {
    const known = place < first ? undefined : vectors.get(ids[place] ?? 0)
    const isComparable = known?.model === query.model && known.vector.values.length === compared.length
    likeness[place] = isComparable ? dotProduct(known.vector, compared) : NaN
  }
  const all = meaningOf(likeness)
  return {
    all,
    of: (place, passage) =>
      vectors.get(passage.id)?.hash === hashOfEmbedded(passage) ? (all[place] ?? 0) : 0,
  }
}

function hashOfEmbedded(passage: PendingPassage): string {
  return hashOf(passageInContext(passage))
}

/**
 * Stores the vector of a passage, unless its text or that of the one before it has changed in the meantime. One that is blank
 * gets an empty vector.
 */
export function upsertPassageVector(
  tx: Writer,
  adventureId: number,
  passage: PendingPassage,
  { model, vector }: { model: string; vector: Float32Array },
): void {
  const { id, text, before } = passage
  tx.run('DELETE FROM passage_vectors WHERE id = ?', id)
  const now = tx.get<PendingPassage>(`${SELECT_PASSAGES} WHERE id = ? AND adventure_id = ?`, id, adventureId)
  if (now?.text !== text || now.before !== before) return
  tx.insert('passage_vectors', {
    ...{ id, adventure_id: adventureId, model, text_hash: hashOfEmbedded(passage) },
    vector: isBlank(text) ? new Uint8Array() : smallVectorToBytes(smallVector(vector)),
  })
}

/** Deletes the vectors of a passage and of the next one, if they are of other texts. Must be called after it was written. */
export function deleteOutdatedVectors(tx: Writer, id: number): void {
  const passages = tx.all<PendingPassage>(
    `${SELECT_PASSAGES} WHERE EXISTS (SELECT 1 FROM passage_vectors v WHERE v.id = actions.id)
     AND id IN (SELECT later.id FROM actions own JOIN actions later ON later.adventure_id = own.adventure_id
       AND (later."index", later.id) >= (own."index", own.id) WHERE own.id = ? ORDER BY later."index", later.id LIMIT 2)`,
    id,
  )
  for (const passage of passages)
    tx.run('DELETE FROM passage_vectors WHERE id = ? AND text_hash <> ?', passage.id, hashOfEmbedded(passage))
}

/** Gives the vectors of passages to their copies in another story. */
export function copyPassageVectors(tx: Writer, passages: readonly number[], to: number): void {
  tx.run(
    `INSERT OR IGNORE INTO passage_vectors (id, adventure_id, model, text_hash, vector)
      SELECT copy.id, copy.adventure_id, model, text_hash, vector
        FROM passage_vectors v JOIN actions a ON a.id = v.id
        JOIN actions copy ON copy.adventure_id = ? AND copy."index" = a."index" AND copy.text = a.text
       WHERE v.id IN (SELECT value FROM json_each(?))`,
    to,
    JSON.stringify(passages),
  )
}

function read(
  vectors: Map<number, PassageVector>,
  reader: Reader,
  adventureId: number,
  ids: readonly number[],
): void {
  for (const id of ids) vectors.delete(id)
  const rows = reader.all<VectorRow>(
    `SELECT id, model, text_hash AS hash, vector FROM passage_vectors
      WHERE id IN (SELECT value FROM json_each(?)) AND +adventure_id = ?`,
    JSON.stringify(ids),
    adventureId,
  )
  for (const { id, model, hash, vector } of rows)
    vectors.set(id, { model, hash, vector: smallVectorFromBytes(vector) })
}
