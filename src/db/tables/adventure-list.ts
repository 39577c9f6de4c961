import { NARRATION_TYPES } from '../../domain/action.ts'
import { type AdventureListItem, SHELVES, snippetOf } from '../../domain/adventure.ts'
import { imageUrl } from '../../domain/scenario.ts'
import { storedLanguage } from '../../domain/text/language.ts'
import { isoTime } from '../column-values.ts'
import type { Reader } from '../database.ts'

type ListRow = Omit<AdventureListItem, 'snippet' | 'image_url' | 'shelf'> & {
  shelf: string
  narration: string | null
  image_hash: string | null
}

const narrations = NARRATION_TYPES.map((type) => `'${type}'`).join(', ')

/** Last played first. */
export function listAdventures(reader: Reader): AdventureListItem[] {
  const rows = reader.all<ListRow>(
    `SELECT a.id, a.scenario_id, s.title AS scenario_title, a.title, a.shelf, a.created_at, a.updated_at,
            a.action_count, a.language, a.family, coalesce(a.branch_name, '') AS branch_name, coalesce(s.icon, '') AS icon, coalesce(s.tags, '') AS tags, s.image_hash,
            (SELECT substr(n.text, 1, 2000) FROM actions n
              WHERE n.adventure_id = a.id AND n.type IN (${narrations})
              ORDER BY n."index" DESC, n.id DESC LIMIT 1) AS narration
       FROM adventures a LEFT JOIN scenarios s ON s.id = a.scenario_id
      WHERE a.importing IS NULL ORDER BY a.updated_at DESC, a.id DESC`,
  )
  return rows.map(({ narration, image_hash, ...row }) => ({
    ...row,
    language: storedLanguage(row.language),
    snippet: snippetOf(narration ?? ''),
    image_url: row.scenario_id === null ? '' : imageUrl(row.scenario_id, image_hash ?? ''),
    shelf: SHELVES.find((known) => known === row.shelf) ?? 'open',
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }))
}

/** Null if there are none. */
export function findLastPlayed(reader: Reader): number | null {
  return reader.value(
    'SELECT id FROM adventures WHERE importing IS NULL ORDER BY updated_at DESC, id DESC LIMIT 1',
  )
}

export function listDuplicates(reader: Reader, title: string, actions: number): number[] {
  const sql = 'SELECT id FROM adventures WHERE title = ? AND action_count = ? AND importing IS NULL'
  return reader.column(sql, title, actions)
}
