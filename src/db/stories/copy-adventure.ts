import type { KeptNotes } from '../../domain/prompt/notes.ts'
import type { Place } from '../actions.ts'
import { copyBookmarks } from '../tables/bookmarks.ts'
import type { Reader, Writer } from '../database.ts'
import { freeId } from '../free-id.ts'
import { indexMemory } from '../search/memory-search.ts'
import { scenarioOf } from '../tables/scenarios.ts'
import { indexAdventure } from '../search.ts'
import { readObject, storedTime } from '../stored.ts'
import { findOwner } from '../tables/users.ts'

/**
 * Copies an adventure with everything that belongs to it, up to an action, and gives the new id. Its prompt begins anew,
 * and what stands in a composer is not copied. Its world and summary are still those of the whole story.
 */
export function insertCopy(tx: Writer, id: number, title: string, end: Place, now: Date): number {
  const copy = tx.copy(
    'adventures',
    {
      id: freeId(tx, 'adventures'),
      // A file that other programs wrote may name an owner and a scenario that are gone; no new row may.
      user_id: findOwner(tx),
      scenario_id: scenarioOf(tx, id),
      title,
      script_state: '{}',
      epoch_start: null,
      epoch_summary: '',
      epoch_static: '',
      shelf: 'open',
      created_at: storedTime(now),
    },
    'id = ?',
    id,
  )
  const own = { adventure_id: copy }
  tx.copy(
    'actions',
    { ...own, state_before: null },
    'adventure_id = ? AND ("index", id) <= (?, ?) ORDER BY id',
    id,
    end.index,
    end.id,
  )
  tx.run(
    'UPDATE adventures SET action_count = (SELECT count(*) FROM actions WHERE adventure_id = ?1) WHERE id = ?1',
    copy,
  )
  tx.copy('story_cards', own, 'adventure_id = ? ORDER BY id', id)
  tx.copy('prompt_parts', own, 'adventure_id = ? AND since <= ?', id, end.index)
  tx.copy('summaries', own, 'adventure_id = ? ORDER BY id', id)
  tx.copy('world_breaks', own, 'adventure_id = ? ORDER BY since', id)
  copyMemories(tx, id, copy, end.index)
  copyBookmarks(tx, id, copy)
  indexAdventure(tx, copy)
  return copy
}

/** Copies the memories that tell of nothing behind an index, and follows them to where prompts have told them. */
function copyMemories(tx: Writer, id: number, copy: number, lastIndex: number): void {
  const which = 'adventure_id = ? AND (source_end IS NULL OR source_end <= ?) ORDER BY id'
  tx.copy('memories', { adventure_id: copy }, which, id, lastIndex)
  const [old, own] = [memoriesOf(tx, id, which, lastIndex), memoriesOf(tx, copy, which, lastIndex)]
  for (const memory of own) indexMemory(tx, { ...memory, adventure_id: copy })
  // What follows the copied memories is remembered anew; the position counts passages.
  tx.run(
    `UPDATE adventures SET memory_cursor = min(memory_cursor, (SELECT count(*) FROM actions
        WHERE adventure_id = ?1 AND trim(text, ?4) <> '' AND "index" < coalesce(
          (SELECT min(source_start) FROM memories WHERE adventure_id = ?2 AND source_end > ?3), ?3 + 1)))
      WHERE id = ?1`,
    copy,
    id,
    lastIndex,
    ' \t\r\n',
  )
  renumberNotes(tx, copy, new Map(old.map((memory, i) => [memory.id, own[i]?.id ?? memory.id])))
}

function memoriesOf(
  reader: Reader,
  adventureId: number,
  which: string,
  lastIndex: number,
): { id: number; text: string }[] {
  return reader.all(`SELECT id, text FROM memories WHERE ${which}`, adventureId, lastIndex)
}

function renumberNotes(tx: Writer, adventureId: number, ids: ReadonlyMap<number, number>): void {
  const rows = tx.all<{ id: number; prompt_notes: string }>(
    `SELECT id, prompt_notes FROM actions WHERE adventure_id = ? AND prompt_notes LIKE '%"memories":[[%'`,
    adventureId,
  )
  for (const { id, prompt_notes } of rows) {
    const notes = readObject(prompt_notes) as KeptNotes | null
    const memories = notes?.memories.flatMap(([old, mark]): KeptNotes['memories'] => {
      const own = ids.get(old)
      return own === undefined ? [] : [[own, mark]]
    })
    if (notes && memories) tx.update('actions', id, { prompt_notes: JSON.stringify({ ...notes, memories }) })
  }
}
