import type { Reader } from '../database.ts'
import { type FoundRow, findRow, ownerTerm } from './searchable-rows.ts'

/** A branch that has a passage too, with its own row of it. */
interface SharingBranch {
  adventure_id: number
  action_id: number
  /** Its name, or its title if it has none. */
  name: string
}

/** The passage, word for word the same, that the passage `own` of a branch shares with the adventure that it grew from. */
const TOLD = `FROM actions own JOIN adventures branch ON branch.id = own.adventure_id
    JOIN adventures origin ON origin.id = branch.branched_from AND origin.family = branch.family AND origin.importing IS NULL
    JOIN actions told ON told.adventure_id = origin.id AND told."index" = own."index" AND told.text = own.text
  WHERE own.id = ? AND own."index" <= branch.branched_at`

/** Whether a passage is one that a branch shares with the adventure that it grew from, word for word. */
export function isShared(reader: Reader, { kind, id }: FoundRow): boolean {
  return kind === 'action' && reader.get(`SELECT 1 ${TOLD}`, id) !== null
}

/** The entry in the index of the passage that a branch shares with the adventure that it grew from; null if there is none. */
export function findToldEntry(reader: Reader, id: number): number | null {
  const isCurrent = `place = told.id AND mark = ${fingerprintSql('told')}`
  const sql = `SELECT coalesce((SELECT place FROM search_indexed WHERE ${isCurrent}),
    (SELECT entry FROM search_shared WHERE ${isCurrent})) AS entry ${TOLD}`
  return reader.value(sql, id)
}

/** By what the index knows whether an action has changed. */
export function fingerprintSql(action: string): string {
  return `'a' || ${action}.adventure_id || ' ' || octet_length(${action}.text)`
}

/** The passages that share an entry of the index with the one that it was made of, the oldest first. */
export function* rowsSharing(reader: Reader, entry: number): Generator<FoundRow> {
  const sql = 'SELECT place FROM search_shared WHERE entry = ? ORDER BY place'
  for (const place of reader.column<number>(sql, entry)) {
    const row = findRow(reader, 'action', place)
    if (row) yield row
  }
}

type Selection = [sql: string, ...values: (string | number)[]]

/**
 * Selects as `place` the rows that match an expression: entries of the index, or what one story has, by entries of its own and
 * by those that it shares, whichever story they are of.
 */
export function selectMatches(
  reader: Reader,
  expression: string,
  adventure: number | undefined,
  range: [from: number, to: number],
): Selection {
  const entries =
    'SELECT rowid AS place FROM search_index WHERE search_index MATCH ? AND rowid BETWEEN ? AND ?'
  const text = `text : (${expression})`
  if (adventure === undefined) return [entries, text, ...range]
  const owner = ownerTerm({ adventure })
  const own: Selection = [entries, `owner : "${owner}" AND ${text}`, ...range]
  if (!hasBranches(reader, adventure)) return own
  const shared = `SELECT place FROM search_index CROSS JOIN search_shared ON entry = search_index.rowid AND mark BETWEEN ? AND ?
    WHERE search_index MATCH ? AND place BETWEEN ? AND ?`
  const [sql, ...values] = own
  return [`${sql} UNION ALL ${shared}`, ...values, `${owner} `, `${owner} ~`, text, ...range]
}

/** Whether a story shares passages with branches, or may do so. */
export function hasBranches(reader: Reader, adventureId: number): boolean {
  const sql = 'SELECT 1 FROM adventures WHERE id = ? AND family IS NOT NULL'
  return reader.get(sql, adventureId) !== null
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
