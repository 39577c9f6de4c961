import { notesFrom, type StoredNotes } from '../../domain/prompt/notes.ts'
import { parseObjectColumn, storedTime } from '../column-values.ts'
import { chunkSteps, type Step, type Writer } from '../database.ts'
import { freeId } from '../free-id.ts'
import { rowidOf } from '../search/searchable-rows.ts'
import { copyVectors } from '../search/text-vectors.ts'
import { BLANKS } from '../tables/actions/passages.ts'
import { type ActionPosition, FIRST_POSITION, listPositions } from '../tables/actions/position.ts'
import { copyBookmarks } from '../tables/bookmarks.ts'
import { copyProposals } from '../tables/card-proposals.ts'
import { sharePromptPartSteps } from '../tables/prompt-parts.ts'
import { scenarioOf } from '../tables/scenarios.ts'
import { findOwner } from '../tables/users.ts'
import { hide } from './hidden.ts'

const CHUNK = 50

interface CopyOptions {
  title: string
  end: ActionPosition
  now: Date
  /** Gets the id of the copy. */
  written: number[]
}

/**
 * Copies an adventure and everything that belongs to it, up to and including the action at `end`, in small steps. Returns the
 * id of the copy, which is hidden, and not in the search index yet. It starts a new prompt window and has no draft. Its
 * world state and summary are still those of the whole story.
 */
export function* copySteps(id: number, { title, end, now, written }: CopyOptions): Generator<Step, number> {
  let copy = 0
  yield (tx) => {
    copy = insertAdventureCopy(tx, id, title, now)
    hide(tx, 'adventures', copy)
    written.push(copy)
    copyBelongings(tx, id, copy)
  }
  yield* sharePromptPartSteps(id, copy, end.index)
  yield* chunkSteps<ActionPosition>(FIRST_POSITION, (tx, after) =>
    copyActions(tx, { from: id, to: copy, after, end }),
  )
  yield (tx) => {
    tx.run(
      'UPDATE adventures SET action_count = (SELECT count(*) FROM actions WHERE adventure_id = ?1) WHERE id = ?1',
      copy,
    )
    copyMemories(tx, id, copy, end.index)
    copyBookmarks(tx, id, copy)
    copyProposals(tx, id, copy, end.index)
  }
  return copy
}

export function copyBelongings(tx: Writer, id: number, copy: number): void {
  const own = { adventure_id: copy }
  tx.copy('story_cards', { ...own, scenario_id: null }, 'adventure_id = ? ORDER BY id', id)
  tx.copy('summaries', own, 'adventure_id = ? ORDER BY id', id)
  tx.copy('world_breaks', own, 'adventure_id = ? ORDER BY since', id)
}

/** Returns the position of the last one; null when there are no more. */
function copyActions(
  tx: Writer,
  { from, to, after, end }: { from: number; to: number; after: ActionPosition; end: ActionPosition },
): ActionPosition | null {
  const chunk = listPositions(tx, from, after, CHUNK).filter(
    ({ index, id }) => index < end.index || (index === end.index && id <= end.id),
  )
  const last = chunk.at(-1)
  if (last === undefined) return null
  tx.copy(
    'actions',
    { adventure_id: to, state_before: null },
    'adventure_id = ? AND ("index", id) > (?, ?) AND ("index", id) <= (?, ?) ORDER BY "index", id',
    from,
    after.index,
    after.id,
    last.index,
    last.id,
  )
  const copies = tx.all<{ id: number; copy: number }>(
    `SELECT a.id, copy.id AS copy FROM actions a JOIN actions copy
        ON copy.adventure_id = ? AND copy."index" = a."index" AND copy.text = a.text
      WHERE a.id IN (SELECT value FROM json_each(?))`,
    to,
    JSON.stringify(chunk.map(({ id }) => id)),
  )
  copyVectors(
    tx,
    copies.map(({ id, copy }) => [id, copy]),
    to,
  )
  return last
}

/** Returns the id of the copy. */
export function insertAdventureCopy(tx: Writer, id: number, title: string, now: Date): number {
  return tx.copy(
    'adventures',
    {
      id: freeId(tx, 'adventures'),
      // Other programs may have left references to a deleted owner or scenario, which a new row must not have.
      user_id: findOwner(tx),
      scenario_id: scenarioOf(tx, id),
      title,
      script_state: '{}',
      epoch_start: null,
      epoch_summary: '',
      epoch_static: '',
      shelf: 'open',
      suggestions: null,
      ...NO_FAMILY,
      created_at: storedTime(now),
    },
    'id = ?',
    id,
  )
}

const NO_FAMILY = {
  family: null,
  branched_from: null,
  branched_at: null,
  branch_name: null,
  branch_color: null,
  main_branch: null,
}

/** Copies the memories of passages up to an index, and updates the references to them in the prompt notes. */
function copyMemories(tx: Writer, id: number, copy: number, lastIndex: number): void {
  const which = 'adventure_id = ? AND (source_end IS NULL OR source_end <= ?) ORDER BY id'
  tx.copy('memories', { adventure_id: copy }, which, id, lastIndex)
  const idsOf = (adventureId: number) =>
    tx.column<number>(`SELECT id FROM memories WHERE ${which}`, adventureId, lastIndex)
  const own = idsOf(copy)
  const ids = new Map(idsOf(id).map((old, i) => [old, own[i] ?? old]))
  copyVectors(
    tx,
    [...ids].map(([from, to]) => [rowidOf('memory', from), rowidOf('memory', to)]),
    copy,
  )
  // The cursor counts passages. Those after the copied memories will be remembered again.
  tx.run(
    `UPDATE adventures SET memory_cursor = min((SELECT memory_cursor FROM adventures WHERE id = ?2), (SELECT count(*) FROM actions
        WHERE adventure_id = ?1 AND trim(text, ?4) <> '' AND "index" < coalesce(
          (SELECT min(source_start) FROM memories WHERE adventure_id = ?2 AND source_end > ?3), ?3 + 1)))
      WHERE id = ?1`,
    copy,
    id,
    lastIndex,
    BLANKS,
  )
  updateMemoryIdsInNotes(tx, copy, ids)
}

function updateMemoryIdsInNotes(tx: Writer, adventureId: number, ids: ReadonlyMap<number, number>): void {
  const rows = tx.all<{ id: number; prompt_notes: string }>(
    `SELECT id, prompt_notes FROM actions WHERE adventure_id = ? AND prompt_notes LIKE '%"memories":[[%'`,
    adventureId,
  )
  for (const { id, prompt_notes } of rows) {
    const notes = notesFrom(parseObjectColumn(prompt_notes))
    const memories = notes?.memories.flatMap(([old, hash]): StoredNotes['memories'] => {
      const own = ids.get(old)
      return own === undefined ? [] : [[own, hash]]
    })
    if (notes && memories) tx.update('actions', id, { prompt_notes: JSON.stringify({ ...notes, memories }) })
  }
}
