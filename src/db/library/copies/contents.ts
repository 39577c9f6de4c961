import type { Database } from 'bun:sqlite'
import { cutTo } from '../../../lib/text.ts'
import { isoTime } from '../../column-values.ts'

/** Summary for a person who decides whether to restore a library. */
export interface LibraryContents {
  /** Number of all stories; `stories` are those played last. */
  count: number
  stories: { title: string; passages: number; played: string }[]
  scenarios: number
}

/** Stories that are named. */
const NAMED = 200

export function contentsOf(db: Database): LibraryContents {
  const rows = db
    .query<{ title: string; passages: number; played: string }, [number]>(
      `SELECT CAST(title AS TEXT) AS title, CAST(action_count AS INTEGER) AS passages, updated_at AS played
         FROM adventures WHERE importing IS NULL ORDER BY updated_at DESC, id DESC LIMIT ?`,
    )
    .all(NAMED)
  return {
    count: countOf(db, 'adventures'),
    stories: rows.map(({ title, passages, played }) => ({
      title: cutTo(title ?? '', TITLE),
      passages: passages ?? 0,
      played: isoTime(played),
    })),
    scenarios: countOf(db, 'scenarios'),
  }
}

const TITLE = 200

function countOf(db: Database, table: 'adventures' | 'scenarios'): number {
  const sql = `SELECT count(*) AS rows FROM ${table} WHERE importing IS NULL`
  return db.query<{ rows: number }, []>(sql).get()?.rows ?? 0
}
