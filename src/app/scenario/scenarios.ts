import type { Reader } from '../../db/database.ts'
import { pinSchemaOfScenario } from '../../db/tables/adventures.ts'
import { deleteScenario, getScenario, insertScenario, updateScenario } from '../../db/tables/scenarios.ts'
import { findSchemaDraft, upsertSchemaDraft } from '../../db/tables/schema-drafts.ts'
import { insertCard, listCards } from '../../db/tables/story-cards.ts'
import { findOwner } from '../../db/tables/users.ts'
import { type ConflictCheck, fieldsUnchanged } from '../../domain/edit-conflict.ts'
import { LIMITS } from '../../domain/limits.ts'
import {
  clampTags,
  EMPTY_SCENARIO,
  type Scenario,
  type ScenarioFields,
  type ScenarioView,
  UNTITLED_SCENARIO,
} from '../../domain/scenario.ts'
import { questionsOf } from '../../domain/start-from-scenario.ts'
import { lintSchema } from '../../domain/world/lint.ts'
import { assertValidSchema } from '../../domain/world/validate-schema.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import type { Deps } from '../deps.ts'
import { coverFrom } from './covers.ts'

/** Throws invalid, image_refused. */
export async function createScenario(deps: Deps, input: Partial<ScenarioFields>): Promise<Scenario> {
  assertValidSchema(input.stat_schema)
  const fields = { ...EMPTY_SCENARIO, ...(await normalized(input)) }
  const id = deps.library.write((tx) => insertScenario(tx, findOwner(tx) ?? 0, fields, deps.now()))
  return getScenario(deps.library.reader, id)
}

/**
 * Changes the given fields, if the check allows it. Running stories stay as they are. Throws not_found, invalid,
 * image_refused, changed_elsewhere.
 */
export async function changeScenario(
  deps: Deps,
  id: number,
  changed: Partial<ScenarioFields>,
  check: ConflictCheck = fieldsUnchanged(),
): Promise<Scenario> {
  getScenario(deps.library.reader, id)
  assertValidSchema(changed.stat_schema)
  const fields = await normalized(changed)
  deps.library.write((tx) => {
    const updates = check<ScenarioFields>(getScenario(tx, id), fields)
    if (Object.keys(updates).length > 0) updateScenario(tx, id, updates, deps.now())
  })
  return getScenario(deps.library.reader, id)
}

/** Stores a cover made by `coverFrom`; '' removes it. Throws not_found, changed_elsewhere. */
export function changeCover(deps: Deps, id: number, image: string, check: ConflictCheck): void {
  deps.library.write((tx) => {
    const updates = check<Pick<ScenarioFields, 'image'>>(getScenario(tx, id), { image })
    if (updates.image !== undefined) updateScenario(tx, id, updates, deps.now())
  })
}

/** Deletes a scenario with its cards. Its stories continue, with their stats. Throws not_found. */
export function removeScenario(deps: Deps, id: number): void {
  deps.library.write((tx) => {
    pinSchemaOfScenario(tx, id, getScenario(tx, id).stat_schema)
    deleteScenario(tx, id)
  })
}

async function normalized(fields: Partial<ScenarioFields>): Promise<Partial<ScenarioFields>> {
  return {
    ...fields,
    ...(fields.title !== undefined && isBlank(fields.title) ? { title: UNTITLED_SCENARIO } : {}),
    ...(fields.greetings === undefined
      ? {}
      : { greetings: fields.greetings.filter((text) => !isBlank(text)) }),
    ...(fields.tags === undefined ? {} : { tags: clampTags(fields.tags) }),
    ...(fields.image === undefined ? {} : { image: await coverFrom(fields.image) }),
  }
}

export function scenarioView(reader: Reader, scenario: Scenario): ScenarioView {
  const story_cards = listCards(reader, { scenario_id: scenario.id })
  const schema_warnings = lintSchema(scenario.stat_schema)
  return { ...scenario, story_cards, questions: questionsOf(scenario, story_cards), schema_warnings }
}

const COPY = ' (copy)'

/** Copies a scenario with its cards, its picture and its stats, and returns the id of the copy. Throws not_found. */
export function duplicateScenario(deps: Deps, id: number): number {
  return deps.library.write((tx) => {
    const { id: _, created_at, updated_at, ...fields } = getScenario(tx, id)
    const title = cutTo(fields.title, LIMITS.name - COPY.length) + COPY
    const copy = insertScenario(tx, findOwner(tx) ?? 0, { ...fields, title }, deps.now())
    for (const { type, name, keys, entry, notes, timing } of listCards(tx, { scenario_id: id }))
      insertCard(
        tx,
        { scenario_id: copy },
        { type, name, keys, entry, notes, ...(timing && { timing }) },
        null,
      )
    const draft = findSchemaDraft(tx, id)
    if (draft) upsertSchemaDraft(tx, copy, draft)
    return copy
  })
}
