import type { Adventure, AdventureFields, Shelf } from '../../domain/adventure.ts'
import { StoryError } from '../../domain/errors.ts'
import type { Epoch } from '../../domain/prompt/window.ts'
import { storedLanguage } from '../../domain/text/language.ts'
import { type Answers, answersFrom } from '../../domain/text/placeholder.ts'
import type { StatSchema, WorldState } from '../../domain/world/state.ts'
import { hashOf } from '../../lib/hash.ts'
import { isoTime, parseObjectColumn, storedTime } from '../column-values.ts'
import type { Reader, Writer } from '../database.ts'
import { freeId } from '../free-id.ts'
import { indexForSearch, unindexOwner } from '../search/story-index.ts'
import { deletePromptParts } from './prompt-parts.ts'

type Row = Omit<Adventure, 'auto_summarize' | 'memory_bank_enabled' | 'propose_cards'> & {
  auto_summarize: number
  memory_bank_enabled: number
  propose_cards: number | null
}

export function findAdventure(reader: Reader, id: number): Adventure | null {
  const row = reader.get<Row>(
    `SELECT id, scenario_id, title, memory, authors_note, ai_instructions, example_dialogue, story_summary, auto_summarize,
            memory_bank_enabled, propose_cards, language, action_count, created_at, updated_at
       FROM adventures WHERE id = ? AND importing IS NULL`,
    id,
  )
  return (
    row && {
      ...row,
      auto_summarize: row.auto_summarize !== 0,
      memory_bank_enabled: row.memory_bank_enabled !== 0,
      propose_cards: Boolean(row.propose_cards),
      language: storedLanguage(row.language),
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
    }
  )
}

/** Throws not_found. */
export function getAdventure(reader: Reader, id: number): Adventure {
  const adventure = findAdventure(reader, id)
  if (adventure) return adventure
  throw noStory(id)
}

const noStory = (id: number) =>
  new StoryError('not_found', `There is no story ${id}. It may have been deleted.`)

/** BCP 47 tag; '' if none was chosen. */
export function findLanguage(reader: Reader, id: number): string {
  return storedLanguage(reader.value('SELECT language FROM adventures WHERE id = ?', id))
}

/** Does not count as playing, so `updated_at` stays. */
export function updateShelf(tx: Writer, id: number, shelf: Shelf): void {
  tx.update('adventures', id, { shelf })
}

/** Null if the adventure is older than placeholders. */
export function findAnswers(reader: Reader, id: number): Answers | null {
  const stored = parseObjectColumn(reader.value('SELECT placeholders FROM adventures WHERE id = ?', id))
  return stored && answersFrom(stored)
}

export function updateAnswers(tx: Writer, id: number, answers: Answers): void {
  tx.update('adventures', id, { placeholders: JSON.stringify(answers) })
}

/** True once the cards were matched with those of the scenario, so that their references are valid. */
export function hasAdoptedCards(reader: Reader, id: number): boolean {
  return reader.get('SELECT 1 FROM adventures WHERE id = ? AND cards_adopted <> 0', id) !== null
}

export function updateCardsAdopted(tx: Writer, id: number): void {
  tx.update('adventures', id, { cards_adopted: true })
}

/** The current world state of an adventure and its schema: its own or, if it has none, its scenario's. */
export interface AdventureWorld {
  state: WorldState
  schema: StatSchema | null
  /** True if the schema is the adventure's own. */
  pinned: boolean
}

/** Throws not_found. */
export function getEpoch(reader: Reader, id: number): Epoch {
  const row = reader.get<{ epoch_start: number | null; epoch_summary: string; epoch_static: string }>(
    'SELECT epoch_start, epoch_summary, epoch_static FROM adventures WHERE id = ?',
    id,
  )
  if (row === null) throw noStory(id)
  return { start: row.epoch_start, summary: row.epoch_summary, static_mark: row.epoch_static }
}

export function updateEpoch(tx: Writer, id: number, { start, summary, static_mark }: Epoch): void {
  tx.update('adventures', id, { epoch_start: start, epoch_summary: summary, epoch_static: static_mark })
}

/** Throws not_found. */
export function getWorld(reader: Reader, id: number): AdventureWorld {
  const row = reader.get<{ world_state: string | null; own: string | null; authored: string | null }>(
    `SELECT a.world_state, a.stat_schema AS own, s.stat_schema AS authored
       FROM adventures a LEFT JOIN scenarios s ON s.id = a.scenario_id WHERE a.id = ?`,
    id,
  )
  if (row === null) throw noStory(id)
  const pinned = row.own !== null
  return {
    state: parseObjectColumn(row.world_state) ?? {},
    schema: parseObjectColumn(pinned ? row.own : row.authored),
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
    world_mark: hashOf(world_state),
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

/** Leaves `updated_at` as it is. */
export function updateSummary(tx: Writer, id: number, text: string): void {
  tx.update('adventures', id, { story_summary: text })
  indexForSearch(tx, 'adventure', id)
}

/** Makes the next turn rebuild the fixed part of the prompt before the window. */
export function clearEpochStatic(tx: Writer, id: number): void {
  tx.update('adventures', id, { epoch_static: '' })
}

export function updateWorldState(tx: Writer, id: number, state: WorldState): void {
  const world_state = JSON.stringify(state)
  tx.update('adventures', id, { world_state, world_mark: hashOf(world_state) })
}

/** An empty schema means that the story has no stats. */
export function pinSchema(tx: Writer, id: number, schema: StatSchema | null): void {
  tx.update('adventures', id, { stat_schema: JSON.stringify(schema ?? {}) })
}

/** Pins the schema of a scenario in all its stories that have none of their own, before the scenario is deleted. */
export function pinSchemaOfScenario(tx: Writer, scenarioId: number, schema: StatSchema | null): void {
  tx.run(
    'UPDATE adventures SET stat_schema = ? WHERE scenario_id = ? AND stat_schema IS NULL',
    JSON.stringify(schema ?? {}),
    scenarioId,
  )
}

export function deleteAdventure(tx: Writer, id: number): void {
  unindexOwner(tx, { adventure: id })
  deletePromptParts(tx, 'adventure_id = ?', id)
  tx.run('DELETE FROM adventures WHERE id = ?', id)
}
