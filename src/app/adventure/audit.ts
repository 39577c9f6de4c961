import type { Reader } from '../../db/database.ts'
import { type ActionPosition, FIRST_POSITION } from '../../db/tables/actions/position.ts'
import { listForAudit } from '../../db/tables/actions/variants.ts'
import { getWorld } from '../../db/tables/adventures.ts'
import { listBreaks } from '../../db/tables/world-breaks.ts'
import type { Audit } from '../../domain/world/audit/audit.ts'
import { Auditor } from '../../domain/world/audit/auditor.ts'
import { hasStats } from '../../domain/world/state.ts'
import { hashOf } from '../../lib/hash.ts'

/**
 * Checks every number of a story against its records; null for a story without stats. Reads the story in chunks and
 * yields to other work in between. Throws not_found.
 */
export async function auditAdventure(reader: Reader, adventureId: number): Promise<Audit | null> {
  let { schema, state } = getWorld(reader, adventureId)
  if (!hasStats(schema)) return null
  const auditor = new Auditor(schema, hashOf(JSON.stringify(schema)), listBreaks(reader, adventureId))
  let position: ActionPosition = FIRST_POSITION
  for (;;) {
    const actions = listForAudit(reader, adventureId, position)
    for (const action of actions) auditor.add(action)
    const last = actions.at(-1)
    if (last === undefined) return auditor.finish(state)
    position = last
    // Read together with the passage that has to lead to it: the story may be changed before the next chunk.
    state = getWorld(reader, adventureId).state
    await new Promise((resolve) => setImmediate(resolve))
  }
}
