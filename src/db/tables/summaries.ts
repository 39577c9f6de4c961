import type { Reader, Writer } from '../database.ts'
import { storedTime } from '../stored.ts'

/** One version of a summary. */
export interface SummaryVersion {
  text: string
  /** Index of the last action that it covers. */
  covers: number
  made_by: 'model' | 'player'
}

const KEPT = 5

/** The newest version; null when none was kept. */
export function findSummary(reader: Reader, adventureId: number): SummaryVersion | null {
  return reader.get<SummaryVersion>(
    'SELECT text, covers, made_by FROM summaries WHERE adventure_id = ? ORDER BY covers DESC, id DESC LIMIT 1',
    adventureId,
  )
}

export function insertSummary(tx: Writer, adventureId: number, version: SummaryVersion, now: Date): void {
  tx.insert('summaries', { adventure_id: adventureId, ...version, created_at: storedTime(now) })
  tx.run(
    `DELETE FROM summaries WHERE adventure_id = ?1 AND id NOT IN
       (SELECT id FROM summaries WHERE adventure_id = ?1 ORDER BY covers DESC, id DESC LIMIT ?2)`,
    adventureId,
    KEPT,
  )
}

/**
 * Takes back the model's versions that tell of an action from `index` on. Gives the newest one that is left ('' for
 * none), or null when nothing had to go. What the player wrote stays.
 */
export function pruneSummaries(tx: Writer, adventureId: number, index: number): string | null {
  const before = findSummary(tx, adventureId)
  const gone = tx.run(
    "DELETE FROM summaries WHERE adventure_id = ? AND covers >= ? AND made_by = 'model'",
    adventureId,
    index,
  )
  if (gone === 0 || before?.made_by === 'player') return null
  return findSummary(tx, adventureId)?.text ?? ''
}

/**
 * Empties a summary of the earlier release, which kept no versions, when it tells of more passages than its story has. The
 * position counts passages.
 */
export function dropLaterSummary(tx: Writer, adventureId: number): void {
  tx.run(
    `UPDATE adventures SET story_summary = '' WHERE id = ?1
       AND NOT EXISTS (SELECT 1 FROM summaries WHERE adventure_id = ?1)
       AND summary_cursor > (SELECT count(*) FROM actions WHERE adventure_id = ?1 AND trim(text, ?2) <> '')`,
    adventureId,
    ' \t\r\n',
  )
}
