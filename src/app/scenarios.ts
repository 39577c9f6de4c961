import { pinSchemaOfScenario } from '../db/tables/adventures.ts'
import { deleteScenario, getScenario, insertScenario, updateScenario } from '../db/tables/scenarios.ts'
import { findOwner } from '../db/tables/users.ts'
import { type Seen, unlessChanged } from '../domain/changed-elsewhere.ts'
import {
  clampTags,
  EMPTY_SCENARIO,
  type Scenario,
  type ScenarioFields,
  UNTITLED_SCENARIO,
} from '../domain/scenario.ts'
import { isBlank } from '../lib/text.ts'
import { demandSound } from '../domain/world/schema.ts'
import type { Deps } from './deps.ts'
import { coverFrom } from './scenario/covers.ts'

/** Makes a scenario. Throws invalid, image_refused. */
export async function createScenario(deps: Deps, given: Partial<ScenarioFields>): Promise<Scenario> {
  demandSound(given.stat_schema)
  const fields = { ...EMPTY_SCENARIO, ...(await stored(given)) }
  const id = deps.library.write((tx) => insertScenario(tx, findOwner(tx) ?? 0, fields, deps.now()))
  return getScenario(deps.library.reader, id)
}

/**
 * Changes the given fields, as they were when they were `seen`. Running stories are left alone (specification 1.3).
 * Throws not_found, invalid, image_refused, changed_elsewhere.
 */
export async function changeScenario(
  deps: Deps,
  id: number,
  changed: Partial<ScenarioFields>,
  seen: Seen = {},
): Promise<Scenario> {
  getScenario(deps.library.reader, id)
  demandSound(changed.stat_schema)
  const fields = await stored(changed)
  deps.library.write((tx) => {
    const fresh = unlessChanged<ScenarioFields>(getScenario(tx, id), fields, seen)
    if (Object.keys(fresh).length > 0) updateScenario(tx, id, fresh, deps.now())
  })
  return getScenario(deps.library.reader, id)
}

/** Stores a cover as `pictures.ts` has made it; '' removes it. Throws not_found, changed_elsewhere. */
export function changeCover(deps: Deps, id: number, image: string, seen: Seen = {}): void {
  deps.library.write((tx) => {
    const fresh = unlessChanged<Pick<ScenarioFields, 'image'>>(getScenario(tx, id), { image }, seen)
    if (fresh.image !== undefined) updateScenario(tx, id, fresh, deps.now())
  })
}

/** Deletes a scenario with its cards. Its stories go on, with their stats. Throws not_found. */
export function removeScenario(deps: Deps, id: number): void {
  deps.library.write((tx) => {
    pinSchemaOfScenario(tx, id, getScenario(tx, id).stat_schema)
    deleteScenario(tx, id)
  })
}

async function stored(fields: Partial<ScenarioFields>): Promise<Partial<ScenarioFields>> {
  return {
    ...fields,
    ...(fields.title !== undefined && isBlank(fields.title) ? { title: UNTITLED_SCENARIO } : {}),
    ...(fields.tags === undefined ? {} : { tags: clampTags(fields.tags) }),
    ...(fields.image === undefined ? {} : { image: await coverFrom(fields.image) }),
  }
}
