import { hashOf } from '../../../lib/hash.ts'
import type { Reader } from '../../database.ts'

export const BLANKS = ' \t\r\n'

/** Rows that a player wrote, as in `isPlayerLine`. */
const IS_PLAYER_LINE = "type IN ('do', 'say', 'story')"

/** True for a passage in prompts: it is not blank, and the player has not hidden it. */
export const IS_TOLD = `hidden <> 1 AND trim(text, '${BLANKS}') <> ''`

export interface SourcePassage {
  index: number
  type: string
  text: string
}

/** Only passages that are in prompts. */
export function listPassages(
  reader: Reader,
  adventureId: number,
  start: number,
  end: number,
): SourcePassage[] {
  return reader.all<SourcePassage>(
    `SELECT "index", type, text FROM actions
      WHERE adventure_id = ? AND "index" BETWEEN ? AND ? AND ${IS_TOLD} ORDER BY "index", id`,
    adventureId,
    start,
    end,
  )
}

/** The texts of a story in order, hidden ones too. */
export function listTexts(reader: Reader, adventureId: number): { text: string }[] {
  return reader.all('SELECT text FROM actions WHERE adventure_id = ? ORDER BY "index", id', adventureId)
}

/** Characters of a passage that are enough to detect its language. */
const LANGUAGE_SAMPLE = 2_000

/** The opening and the player's first line, which no retry changes. */
export function storyBeginning(reader: Reader, adventureId: number): string {
  return reader
    .column<string>(
      `SELECT substr(text, 1, ${LANGUAGE_SAMPLE}) FROM
         (SELECT type, text FROM actions WHERE adventure_id = ? ORDER BY "index", id LIMIT 2) WHERE type <> 'ai'`,
      adventureId,
    )
    .join('\n')
}

export function passagesHash(passages: readonly SourcePassage[]): string {
  return hashOf(JSON.stringify(passages.map(({ text }) => text)))
}

/** Passages after an index that are in prompts, oldest first. */
export function listNextPassages(
  reader: Reader,
  adventureId: number,
  index: number,
  limit: number,
): SourcePassage[] {
  return reader.all<SourcePassage>(
    `SELECT "index", type, text FROM actions
      WHERE adventure_id = ? AND "index" > ? AND ${IS_TOLD} ORDER BY "index", id LIMIT ?`,
    adventureId,
    index,
    limit,
  )
}

const SETTLED = `FROM actions
  WHERE adventure_id = ?1 AND "index" > ?2 AND ${IS_TOLD} AND "index" <
    (SELECT "index" FROM actions WHERE adventure_id = ?1 AND NOT ${IS_PLAYER_LINE} AND ${IS_TOLD}
      ORDER BY "index" DESC LIMIT 1)
  ORDER BY "index", id LIMIT ?3`

/** Passages after an index and before the newest reply, which may still be retried. */
export function listSettledPassages(
  reader: Reader,
  adventureId: number,
  index: number,
  limit: number,
): SourcePassage[] {
  return reader.all<SourcePassage>(`SELECT "index", type, text ${SETTLED}`, adventureId, index, limit)
}

/** Counts them up to a limit. */
export function countSettledPassages(
  reader: Reader,
  adventureId: number,
  index: number,
  limit: number,
): number {
  const sql = `SELECT count(*) AS number FROM (SELECT 1 ${SETTLED})`
  return reader.get<{ number: number }>(sql, adventureId, index, limit)?.number ?? 0
}

export function listPassageIds(
  reader: Reader,
  adventureId: number,
  indexes: readonly number[],
): Map<number, number> {
  if (indexes.length === 0) return new Map()
  const rows = reader.all<{ id: number; index: number }>(
    'SELECT id, "index" FROM actions WHERE adventure_id = ? AND "index" IN (SELECT value FROM json_each(?))',
    adventureId,
    JSON.stringify(indexes),
  )
  return new Map(rows.map(({ id, index }) => [index, id]))
}
