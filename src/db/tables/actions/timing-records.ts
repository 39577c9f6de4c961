import { recordFrom, type TimingRecord } from '../../../domain/timing/record.ts'
import { parseColumn } from '../../column-values.ts'
import type { Reader } from '../../database.ts'
import { type ActionPosition, LAST_POSITION } from './position.ts'

export function findTimingRecord(
  reader: Reader,
  adventureId: number,
  before: ActionPosition | null,
): { record: TimingRecord | null; turn: number } {
  const end = before ?? LAST_POSITION
  const row = reader.get<{ index: number; timing: string }>(
    `SELECT "index", timing FROM actions
      WHERE adventure_id = ? AND type = 'ai' AND timing IS NOT NULL AND ("index", id) < (?, ?)
      ORDER BY "index" DESC, id DESC LIMIT 1`,
    adventureId,
    end.index,
    end.id,
  )
  const record = row && recordFrom(parseColumn(row.timing))
  const since = reader.value<number>(
    `SELECT count(*) FROM actions
      WHERE adventure_id = ? AND type = 'ai' AND "index" > ? AND ("index", id) < (?, ?)`,
    adventureId,
    record && row ? row.index : -1,
    end.index,
    end.id,
  )
  return { record, turn: (record?.turn ?? 0) + (since ?? 0) + 1 }
}
