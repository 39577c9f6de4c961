import { BEGINNING, listForAudit, type Place } from '../db/actions.ts'
import { getWorld } from '../db/tables/adventures.ts'
import type { Reader } from '../db/database.ts'
import { listBreaks } from '../db/tables/world-breaks.ts'
import { markOf } from '../lib/hash.ts'
import { type Audit, Auditor } from '../domain/world/audit.ts'
import { hasStats } from '../domain/world/state.ts'

/**
 * Checks every number of a story against its records. Null where nothing is counted. Reads the story in chunks and lets
 * other work pass in between. Throws not_found.
 */
export async function auditAdventure(reader: Reader, adventureId: number): Promise<Audit | null> {
  const { schema } = getWorld(reader, adventureId)
  if (!hasStats(schema)) return null
  const auditor = new Auditor(schema, markOf(JSON.stringify(schema)), listBreaks(reader, adventureId))
  let place: Place = BEGINNING
  for (;;) {
    const actions = listForAudit(reader, adventureId, place)
    for (const action of actions) auditor.add(action)
    const last = actions.at(-1)
    if (last === undefined) break
    place = last
    await new Promise((resolve) => setImmediate(resolve))
  }
  return auditor.finish(getWorld(reader, adventureId).state)
}
