import type { MemoryCandidate } from '../../../domain/recall/memories.ts'
import type { Reader } from '../../database.ts'

type Row = Omit<MemoryCandidate, 'pinned'> & { pinned: number }

/** Condition for recall. What ends at or after an index is still in the prompt. */
const ELIGIBLE = 'NOT forgotten AND NOT stale AND (source_end IS NULL OR source_end < ?)'
const SELECT = 'SELECT id, text, source_end, pinned FROM memories'

/** In the order of `ids`. */
export function listRecallable(
  reader: Reader,
  adventureId: number,
  ids: readonly number[],
  endingBefore: number,
): MemoryCandidate[] {
  if (ids.length === 0) return []
  const rows = reader.all<Row>(
    `${SELECT} WHERE id IN (SELECT value FROM json_each(?)) AND +adventure_id = ? AND ${ELIGIBLE}`,
    JSON.stringify(ids),
    adventureId,
    endingBefore,
  )
  const byId = new Map(rows.map((row) => [row.id, fromRow(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Newest first. */
export function listPinned(reader: Reader, adventureId: number, endingBefore: number): MemoryCandidate[] {
  const sql = `${SELECT} WHERE adventure_id = ? AND pinned = 1 AND ${ELIGIBLE} ORDER BY id DESC`
  return reader.all<Row>(sql, adventureId, endingBefore).map(fromRow)
}

/** Memories that end soonest after a passage: ranges follow each other, so one that covers it is among them. */
const NEAREST = 4

export function listCovering(reader: Reader, adventureId: number, index: number): number[] {
  return reader.column<number>(
    `SELECT id FROM (SELECT id, source_start FROM memories WHERE adventure_id = ? AND source_end >= ?
        ORDER BY source_end LIMIT ${NEAREST}) WHERE source_start <= ?`,
    adventureId,
    index,
    index,
  )
}

function fromRow(row: Row): MemoryCandidate {
  return { ...row, pinned: row.pinned !== 0 }
}
