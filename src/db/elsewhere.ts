import { markOf } from '../lib/hash.ts'
import { findNewest } from './actions.ts'
import type { Writer } from './database.ts'
import { forget, takeBackSummary } from './forget.ts'
import { listRewritten } from './search.ts'
import { insertSummary, type SummaryVersion } from './tables/summaries.ts'
import { insertBreak } from './tables/world-breaks.ts'

/**
 * Follows what another program has done to stories since we were here, as if it had been done here: the earlier release
 * plays, edits and undoes in the same file, and knows nothing of what we keep beside. Called before the search index is
 * kept, which remembers what stood there.
 */
export function followElsewhere(tx: Writer, now: Date): void {
  breakWorlds(tx)
  keepSummaries(tx, now)
  for (const { adventure_id, index } of listRewritten(tx)) forget(tx, adventure_id, index)
  shortenSummaries(tx)
}

// It changes numbers by hand, refreshes and takes back without a word; the audit must know.
function breakWorlds(tx: Writer): void {
  const worlds = tx.all<{ id: number; world_state: string | null; world_mark: string }>(
    'SELECT id, world_state, world_mark FROM adventures WHERE world_mark IS NOT NULL',
  )
  for (const { id, world_state, world_mark } of worlds) {
    const mark = markOf(String(world_state))
    if (mark === world_mark) continue
    insertBreak(tx, id, {
      since: findNewest(tx, id)?.index ?? -1,
      what: 'follows changes by another program',
    })
    tx.update('adventures', id, { world_mark: mark })
  }
}

// Whoever wrote a summary elsewhere, it may be the player: it is kept, and built upon.
function keepSummaries(tx: Writer, now: Date): void {
  const written = tx.all<{ id: number; text: string; covers: number }>(
    `SELECT a.id, a.story_summary AS text, s.covers FROM adventures a
       JOIN summaries s ON s.id = (SELECT id FROM summaries WHERE adventure_id = a.id ORDER BY covers DESC, id DESC LIMIT 1)
      WHERE s.text <> a.story_summary`,
  )
  for (const { id, text, covers } of written)
    insertSummary(tx, id, { text, covers, made_by: 'player' } satisfies SummaryVersion, now)
}

// It undoes turns without looking at our summaries.
function shortenSummaries(tx: Writer): void {
  const ends = tx.all<{ id: number; last: number | null }>(
    `SELECT a.id, (SELECT max("index") FROM actions WHERE adventure_id = a.id) AS last FROM adventures a
      WHERE EXISTS (SELECT 1 FROM summaries WHERE adventure_id = a.id)`,
  )
  for (const { id, last } of ends) takeBackSummary(tx, id, (last ?? -1) + 1)
}
