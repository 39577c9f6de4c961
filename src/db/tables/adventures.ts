import { NARRATION_TYPES } from '../../domain/action.ts'
import {
  type Adventure,
  type AdventureFields,
  type AdventureListItem,
  SHELVES,
  type Shelf,
  snippetOf,
} from '../../domain/adventure.ts'
import { StoryError } from '../../domain/errors.ts'
import { markOf } from '../../lib/hash.ts'
import { type Answers, answersFrom } from '../../domain/placeholder.ts'
import type { Epoch } from '../../domain/prompt/window.ts'
import { imageUrl } from '../../domain/scenario.ts'
import type { StatSchema, WorldState } from '../../domain/world/state.ts'
import type { Reader, Writer } from '../database.ts'
import { freeId } from '../free-id.ts'
import { unindexGone } from '../search/memory-search.ts'
import { indexForSearch, unindexOwner } from '../search.ts'
import { isoTime, readObject, storedTime } from '../stored.ts'

type Row = Omit<Adventure, 'auto_summarize' | 'memory_bank_enabled'> & {
  auto_summarize: number
  memory_bank_enabled: number
}

type ListRow = Omit<AdventureListItem, 'snippet' | 'image_url' | 'shelf'> & {
  shelf: string
  narration: string | null
  image_hash: string | null
}

const narrations = NARRATION_TYPES.map((type) => `'${type}'`).join(', ')

/** All adventures, the one played last first, each with where it was left. */
export function listAdventures(reader: Reader): AdventureListItem[] {
  const rows = reader.all<ListRow>(
    `SELECT a.id, a.scenario_id, s.title AS scenario_title, a.title, a.shelf, a.created_at, a.updated_at,
            a.action_count, coalesce(s.icon, '') AS icon, coalesce(s.tags, '') AS tags, s.image_hash,
            (SELECT substr(n.text, 1, 2000) FROM actions n
              WHERE n.adventure_id = a.id AND n.type IN (${narrations})
              ORDER BY n."index" DESC, n.id DESC LIMIT 1) AS narration
       FROM adventures a LEFT JOIN scenarios s ON s.id = a.scenario_id
      ORDER BY a.updated_at DESC, a.id DESC`,
  )
  return rows.map(({ narration, image_hash, ...row }) => ({
    ...row,
    snippet: snippetOf(narration ?? ''),
    image_url: row.scenario_id === null ? '' : imageUrl(row.scenario_id, image_hash ?? ''),
    shelf: SHELVES.find((known) => known === row.shelf) ?? 'open',
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }))
}

/** The id of the adventure that was played last; null in a library without any. */
export function findLastPlayed(reader: Reader): number | null {
  return (
    reader.get<{ id: number }>('SELECT id FROM adventures ORDER BY updated_at DESC, id DESC LIMIT 1')?.id ??
    null
  )
}

/** Puts a story where it stands from now on. That is no play: it stays as old as it was. */
export function updateShelf(tx: Writer, id: number, shelf: Shelf): void {
  tx.update('adventures', id, { shelf })
}

export function findAdventure(reader: Reader, id: number): Adventure | null {
  const row = reader.get<Row>(
    `SELECT id, scenario_id, title, memory, authors_note, ai_instructions, story_summary, auto_summarize,
            memory_bank_enabled, action_count, created_at, updated_at
       FROM adventures WHERE id = ?`,
    id,
  )
  return (
    row && {
      ...row,
      auto_summarize: row.auto_summarize !== 0,
      memory_bank_enabled: row.memory_bank_enabled !== 0,
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
    }
  )
}

/** Throws not_found. */
export function getAdventure(reader: Reader, id: number): Adventure {
  const adventure = findAdventure(reader, id)
  if (adventure) return adventure
  throw new StoryError('not_found', `There is no adventure ${id}. It may have been deleted.`)
}

/** The answers that an adventure was begun with, or given since; null when it is older than answers. */
export function findAnswers(reader: Reader, id: number): Answers | null {
  const row = reader.get<{ placeholders: string | null }>(
    'SELECT placeholders FROM adventures WHERE id = ?',
    id,
  )
  const stored = readObject(row?.placeholders ?? null)
  return stored && answersFrom(stored)
}

export function updateAnswers(tx: Writer, id: number, answers: Answers): void {
  tx.update('adventures', id, { placeholders: JSON.stringify(answers) })
}

/** Whether the cards of an adventure were matched with its scenario's, so that their references count. */
export function findCardsAdopted(reader: Reader, id: number): boolean {
  return reader.get('SELECT 1 FROM adventures WHERE id = ? AND cards_adopted <> 0', id) !== null
}

export function adoptCards(tx: Writer, id: number): void {
  tx.update('adventures', id, { cards_adopted: true })
}

/** The live world of an adventure and the schema that it is played under: its own, else its scenario's. */
export interface World {
  state: WorldState
  schema: StatSchema | null
  /** Whether the schema is the adventure's own already. */
  pinned: boolean
}

/** Where the window of a story begins. Throws not_found. */
export function getEpoch(reader: Reader, id: number): Epoch {
  const row = reader.get<{ epoch_start: number | null; epoch_summary: string; epoch_static: string }>(
    'SELECT epoch_start, epoch_summary, epoch_static FROM adventures WHERE id = ?',
    id,
  )
  if (row === null)
    throw new StoryError('not_found', `There is no adventure ${id}. It may have been deleted.`)
  return { start: row.epoch_start, summary: row.epoch_summary, static_mark: row.epoch_static }
}

export function updateEpoch(tx: Writer, id: number, { start, summary, static_mark }: Epoch): void {
  tx.update('adventures', id, { epoch_start: start, epoch_summary: summary, epoch_static: static_mark })
}

/** Throws not_found. */
export function getWorld(reader: Reader, id: number): World {
  const row = reader.get<{ world_state: string | null; own: string | null; authored: string | null }>(
    `SELECT a.world_state, a.stat_schema AS own, s.stat_schema AS authored
       FROM adventures a LEFT JOIN scenarios s ON s.id = a.scenario_id WHERE a.id = ?`,
    id,
  )
  if (row === null)
    throw new StoryError('not_found', `There is no adventure ${id}. It may have been deleted.`)
  const pinned = row.own !== null
  return {
    state: readObject(row.world_state) ?? {},
    schema: readObject(pinned ? row.own : row.authored),
    pinned,
  }
}

export interface NewAdventure extends AdventureFields {
  scenario_id: number | null
  placeholders: Answers
  world_state: WorldState
  stat_schema: StatSchema
}

export function insertAdventure(tx: Writer, owner: number, adventure: NewAdventure, now: Date): number {
  const time = storedTime(now)
  const world_state = JSON.stringify(adventure.world_state)
  const id = tx.insert('adventures', {
    ...adventure,
    id: freeId(tx, 'adventures'),
    user_id: owner,
    placeholders: JSON.stringify(adventure.placeholders),
    world_state,
    world_mark: markOf(world_state),
    stat_schema: JSON.stringify(adventure.stat_schema),
    memory_cursor: 0,
    summary_cursor: 0,
    created_at: time,
    updated_at: time,
  })
  indexForSearch(tx, 'adventure', id)
  return id
}

export function updateAdventure(tx: Writer, id: number, changed: Partial<AdventureFields>, now: Date): void {
  tx.update('adventures', id, { ...changed, updated_at: storedTime(now) })
  indexForSearch(tx, 'adventure', id)
}

/** The summary as the model has made it. */
export function updateSummary(tx: Writer, id: number, text: string): void {
  tx.update('adventures', id, { story_summary: text })
  indexForSearch(tx, 'adventure', id)
}

/** What stands frozen before the window is read anew at the next turn. */
export function thawEpoch(tx: Writer, id: number): void {
  tx.update('adventures', id, { epoch_static: '' })
}

export function updateWorldState(tx: Writer, id: number, state: WorldState): void {
  const world_state = JSON.stringify(state)
  tx.update('adventures', id, { world_state, world_mark: markOf(world_state) })
}

/** Makes a schema the adventure's own. {} is a schema too: no stats. */
export function pinSchema(tx: Writer, id: number, schema: StatSchema | null): void {
  tx.update('adventures', id, { stat_schema: JSON.stringify(schema ?? {}) })
}

/** Gives every story of a scenario that has no schema of its own the scenario's, before the scenario goes. */
export function pinSchemaOfScenario(tx: Writer, scenarioId: number, schema: StatSchema | null): void {
  tx.run(
    'UPDATE adventures SET stat_schema = ? WHERE scenario_id = ? AND stat_schema IS NULL',
    JSON.stringify(schema ?? {}),
    scenarioId,
  )
}

export function deleteAdventure(tx: Writer, id: number): void {
  tx.run('DELETE FROM adventures WHERE id = ?', id)
  unindexGone(tx, id)
  unindexOwner(tx, { adventure: id })
}
