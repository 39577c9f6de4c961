import type { Reader } from '../database.ts'
import type { FoundRow } from './searchable-rows.ts'

/** A branch that has a passage too, with its own row of it. */
interface SharingBranch {
  adventure_id: number
  action_id: number
  /** Its name, or its title if it has none. */
  name: string
}

/** Whether a passage is one that a branch shares with the adventure that it grew from, word for word. */
export function isShared(reader: Reader, { kind, id }: FoundRow): boolean {
  if (kind !== 'action') return false
  const sql = `SELECT 1 FROM actions own JOIN adventures branch ON branch.id = own.adventure_id
      JOIN adventures origin ON origin.id = branch.branched_from AND origin.family = branch.family AND origin.importing IS NULL
      JOIN actions told ON told.adventure_id = origin.id AND told."index" = own."index" AND told.text = own.text
    WHERE own.id = ? AND own."index" <= branch.branched_at`
  return reader.get(sql, id) !== null
}

/** The other branches of a story that have a passage word for word. */
export function listSharing(reader: Reader, { kind, id }: FoundRow): SharingBranch[] {
  if (kind !== 'action') return []
  return reader.all<SharingBranch>(
    `SELECT branch.id AS adventure_id, shared.id AS action_id, coalesce(nullif(branch.branch_name, ''), branch.title) AS name
       FROM actions own JOIN adventures teller ON teller.id = own.adventure_id
       JOIN adventures branch ON branch.family = teller.family AND branch.id <> teller.id AND branch.importing IS NULL
       JOIN actions shared ON shared.adventure_id = branch.id AND shared."index" = own."index" AND shared.text = own.text
      WHERE own.id = ? ORDER BY branch.id`,
    id,
  )
}
