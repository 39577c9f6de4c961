import { StoryError } from '../../domain/errors.ts'
import { imageUrl, type Scenario, type ScenarioFields, type ScenarioListItem } from '../../domain/scenario.ts'
import { sha256 } from '../../lib/hash.ts'
import { textsOf } from '../../lib/objects.ts'
import {
  type ColumnValue,
  isoTime,
  parseListColumn,
  parseObjectColumn,
  storedTime,
} from '../column-values.ts'
import type { Reader, Writer } from '../database.ts'
import { freeId } from '../free-id.ts'
import { indexForSearch, unindexOwner } from '../search/story-index.ts'

type Row = Omit<Scenario, 'stat_schema' | 'greetings'> & {
  stat_schema: string | null
  greetings: string | null
}
type ListRow = Omit<ScenarioListItem, 'image_url'> & { image_hash: string }

/** Last edited first. */
export function listScenarios(reader: Reader): ScenarioListItem[] {
  const rows = reader.all<ListRow>(
    `SELECT id, title, description, tags, icon, image_hash, updated_at
       FROM scenarios WHERE importing IS NULL ORDER BY updated_at DESC, id DESC`,
  )
  return rows.map(({ image_hash, ...row }) => ({
    ...row,
    image_url: imageUrl(row.id, image_hash),
    updated_at: isoTime(row.updated_at),
  }))
}

export function listSameName(reader: Reader, title: string): number[] {
  const sql = 'SELECT id FROM scenarios WHERE title = ? AND importing IS NULL'
  return reader.column(sql, title)
}

export function findScenario(reader: Reader, id: number): Scenario | null {
  const row = reader.get<Row>(
    `SELECT id, title, description, prompt, greetings, memory, authors_note, ai_instructions, example_dialogue, tags, image, icon,
            stat_schema, created_at, updated_at
       FROM scenarios WHERE id = ?`,
    id,
  )
  return row && fromRow(row)
}

/** Null if it has none or the scenario was deleted. */
export function scenarioOf(reader: Reader, adventureId: number): number | null {
  const sql = 'SELECT s.id FROM adventures a JOIN scenarios s ON s.id = a.scenario_id WHERE a.id = ?'
  return reader.value(sql, adventureId)
}

/** Throws not_found. */
export function getScenario(reader: Reader, id: number): Scenario {
  const scenario = findScenario(reader, id)
  if (scenario) return scenario
  throw new StoryError('not_found', `There is no scenario ${id}. It may have been deleted.`)
}

/** Null if there is none. */
export function findPicture(reader: Reader, id: number): { image: string } | null {
  return reader.get<{ image: string }>("SELECT image FROM scenarios WHERE id = ? AND image <> ''", id)
}

export function insertScenario(tx: Writer, owner: number, fields: ScenarioFields, now: Date): number {
  const time = storedTime(now)
  const row = {
    ...toRow(fields),
    id: freeId(tx, 'scenarios'),
    user_id: owner,
    created_at: time,
    updated_at: time,
  }
  const id = tx.insert('scenarios', row)
  indexForSearch(tx, 'scenario', id)
  return id
}

export function updateScenario(tx: Writer, id: number, changed: Partial<ScenarioFields>, now: Date): void {
  tx.update('scenarios', id, { ...toRow(changed), updated_at: storedTime(now) })
  indexForSearch(tx, 'scenario', id)
}

/** Keeps its adventures, so their schema must be pinned first. */
export function deleteScenario(tx: Writer, id: number): void {
  tx.run('DELETE FROM scenarios WHERE id = ?', id)
  unindexOwner(tx, { scenario: id })
}

/** Part of the picture's URL; '' if it is not a data URL. */
export function pictureHash(image: string): string {
  if (!image.startsWith('data:')) return ''
  return sha256(image, 'hex').slice(0, 32)
}

function toRow(fields: Partial<ScenarioFields>): Record<string, ColumnValue> {
  const { stat_schema, image, greetings, ...texts } = fields
  return {
    ...texts,
    ...(image === undefined ? {} : { image, image_hash: pictureHash(image) }),
    ...(greetings === undefined ? {} : { greetings: jsonOrNull(greetings) }),
    ...(stat_schema === undefined ? {} : { stat_schema: stat_schema && JSON.stringify(stat_schema) }),
  }
}

function jsonOrNull(list: readonly string[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list)
}

function fromRow(row: Row): Scenario {
  return {
    ...row,
    greetings: textsOf(parseListColumn(row.greetings)),
    stat_schema: parseObjectColumn(row.stat_schema),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}
