import { StoryCache } from '../cache/story-cache.ts'
import type { Reader } from '../database.ts'
import { PER_KIND, rowidOf } from './searchable-rows.ts'

/** A text of a story that can be recalled: a passage, or a note, which is a memory without passages of its own. */
export interface StoryText {
  /** Its rowid in the search index. That of a passage is its id. */
  id: number
  text: string
  /** The text of the passage before it; '' for a note. */
  before: string
  /** The type of a passage and its index in the story; 'note' and null for a note. */
  type: string
  index: number | null
  /** 1 for a passage that the player has hidden. */
  hidden: number
}

/** The notes of a story that may be recalled, by their rowids in the search index, in order. */
export const storyNotes = new StoryCache<number[]>({
  table: 'memories',
  *compute(reader, adventureId) {
    const ids = reader.column<number>(
      `SELECT id FROM memories WHERE adventure_id = ? AND source_end IS NULL AND NOT forgotten AND NOT stale
        ORDER BY id`,
      adventureId,
    )
    return ids.map((id) => rowidOf('memory', id))
  },
  bytesOf: ({ length }) => 8 * length,
})

export function memoryIdOf(rowid: number): number {
  return rowid % PER_KIND
}

export function readTexts(reader: Reader, adventureId: number, rowids: readonly number[]): StoryText[] {
  const passages = rowids.filter((rowid) => rowid < PER_KIND)
  const notes = rowids.filter((rowid) => rowid >= PER_KIND).map(memoryIdOf)
  return [
    ...readRows(reader, SELECT_PASSAGES, adventureId, passages),
    ...readRows(reader, SELECT_NOTES, adventureId, notes).map((note) => ({
      ...note,
      id: rowidOf('memory', note.id),
    })),
  ]
}

// With the plus, SQLite looks the ids up instead of reading the whole story.
const SELECT_PASSAGES = `SELECT id, text, type, "index", hidden, coalesce((SELECT text FROM actions earlier
    WHERE earlier.adventure_id = actions.adventure_id AND (earlier."index", earlier.id) < (actions."index", actions.id)
    ORDER BY earlier."index" DESC, earlier.id DESC LIMIT 1), '') AS before
  FROM actions WHERE id IN (SELECT value FROM json_each(?)) AND +adventure_id = ?`
const SELECT_NOTES = `SELECT id, text, 'note' AS type, NULL AS "index", 0 AS hidden, '' AS before
  FROM memories WHERE id IN (SELECT value FROM json_each(?)) AND +adventure_id = ? AND source_end IS NULL`

function readRows(reader: Reader, sql: string, adventureId: number, ids: readonly number[]): StoryText[] {
  return ids.length === 0 ? [] : reader.all<StoryText>(sql, JSON.stringify(ids), adventureId)
}
