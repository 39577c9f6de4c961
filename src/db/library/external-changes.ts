import { hashOf } from '../../lib/hash.ts'
import type { Writer } from '../database.ts'
import { listRewritten } from '../search/story-index.ts'
import { invalidateFrom, rewindSummary } from '../stories/invalidate.ts'
import { findNewest } from '../tables/actions/list.ts'
import { insertSummary, type SummaryVersion } from '../tables/memory/summaries.ts'
import { insertBreak } from '../tables/world-breaks.ts'

/**
 * Applies the consequences of changes that another program made to stories: the earlier release plays, edits and undoes in
 * the same file, but does not maintain our memories, summaries and records. Must run before the search index is repaired,
 * because the index still knows the old texts.
 */
export function applyExternalChanges(tx: Writer, now: Date): void {
  recordWorldBreaks(tx)
  insertChangedSummaries(tx, now)
  for (const { adventure_id, index } of listRewritten(tx)) invalidateFrom(tx, adventure_id, index)
  rewindSummaries(tx)
}

// The earlier release changes world state without recording it. The audit has to know where.
function recordWorldBreaks(tx: Writer): void {
  const worlds = tx.all<{ id: number; world_state: string | null; world_mark: string }>(
    'SELECT id, world_state, world_mark FROM adventures WHERE world_mark IS NOT NULL',
  )
  for (const { id, world_state, world_mark } of worlds) {
    const hash = hashOf(String(world_state))
    if (hash === world_mark) continue
    insertBreak(tx, id, {
      since: findNewest(tx, id)?.index ?? -1,
      what: 'follows changes by another program',
    })
    tx.update('adventures', id, { world_mark: hash })
  }
}

// A summary that changed elsewhere may be the player's own, so it counts as theirs.
function insertChangedSummaries(tx: Writer, now: Date): void {
  const changed = tx.all<{ id: number; text: string; covers: number }>(
    `SELECT a.id, a.story_summary AS text, s.covers FROM adventures a
       JOIN summaries s ON s.id = (SELECT id FROM summaries WHERE adventure_id = a.id ORDER BY covers DESC, id DESC LIMIT 1)
      WHERE s.text <> a.story_summary`,
  )
  for (const { id, text, covers } of changed)
    insertSummary(tx, id, { text, covers, made_by: 'player' } satisfies SummaryVersion, now)
}

// The earlier release undoes turns without updating our summaries.
function rewindSummaries(tx: Writer): void {
  const ends = tx.all<{ id: number; last: number | null }>(
    `SELECT a.id, (SELECT max("index") FROM actions WHERE adventure_id = a.id) AS last FROM adventures a
      WHERE EXISTS (SELECT 1 FROM summaries WHERE adventure_id = a.id)`,
  )
  for (const { id, last } of ends) rewindSummary(tx, id, (last ?? -1) + 1)
}
