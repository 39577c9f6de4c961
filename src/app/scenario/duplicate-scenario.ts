import { findSchemaDraft, upsertSchemaDraft } from '../../db/tables/drafts.ts'
import { getScenario, insertScenario } from '../../db/tables/scenarios.ts'
import { insertCard, listCards } from '../../db/tables/story-cards.ts'
import { findOwner } from '../../db/tables/users.ts'
import { LIMITS } from '../../domain/limits.ts'
import { cutTo } from '../../lib/text.ts'
import type { Deps } from '../deps.ts'

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
