import { storedTime } from '../../column-values.ts'
import type { Reader, Writer } from '../../database.ts'
import { BLANKS } from '../actions/passages.ts'

export interface SummaryVersion {
  text: string
  /** The index of the last action that it covers. */
  covers: number
  made_by: 'model' | 'player'
}

const MAX_VERSIONS = 5

/** Null if there is none. */
export function findSummary(reader: Reader, adventureId: number): SummaryVersion | null {
  return reader.get<SummaryVersion>(
    'SELECT text, covers, made_by FROM summaries WHERE adventure_id = ? ORDER BY covers DESC, id DESC LIMIT 1',
    adventureId,
  )
}

/** True if a version has this text, ignoring white space around it: then it still applies. */
export function hasSummary(reader: Reader, adventureId: number, text: string): boolean {
  return (
    reader.get(
      'SELECT 1 FROM summaries WHERE adventure_id = ? AND trim(text, ?) = ? LIMIT 1',
      adventureId,
      BLANKS,
      text,
    ) !== null
  )
}

export function insertSummary(tx: Writer, adventureId: number, version: SummaryVersion, now: Date): void {
  tx.insert('summaries', { adventure_id: adventureId, ...version, created_at: storedTime(now) })
  tx.run(
    `DELETE FROM summaries WHERE adventure_id = ?1 AND id NOT IN
       (SELECT id FROM summaries WHERE adventure_id = ?1 ORDER BY covers DESC, id DESC LIMIT ?2)`,
    adventureId,
    MAX_VERSIONS,
  )
}

/**
 * Deletes the model's versions that cover an action at or after `index`. Returns the text of the newest remaining version,
 * '' if none is left, or null if the current summary does not change. The player's own versions stay.
 */
export function deleteSummariesFrom(tx: Writer, adventureId: number, index: number): string | null {
  const before = findSummary(tx, adventureId)
  const deleted = tx.run(
    "DELETE FROM summaries WHERE adventure_id = ? AND covers >= ? AND made_by = 'model'",
    adventureId,
    index,
  )
  if (deleted === 0 || before?.made_by === 'player') return null
  return findSummary(tx, adventureId)?.text ?? ''
}

/** Clears a summary without versions that covers more passages than the story has. */
export function deleteLaterSummary(tx: Writer, adventureId: number): void {
  tx.run(
    `UPDATE adventures SET story_summary = '' WHERE id = ?1
       AND NOT EXISTS (SELECT 1 FROM summaries WHERE adventure_id = ?1)
       AND summary_cursor > (SELECT count(*) FROM actions WHERE adventure_id = ?1 AND trim(text, ?2) <> '')`,
    adventureId,
    BLANKS,
  )
}
