import { type Static, Type } from '@sinclair/typebox'
import type { Reader } from '../../db/database.ts'
import { listDeltas } from '../../db/tables/actions/variants.ts'
import { getWorld } from '../../db/tables/adventures.ts'
import { readRules } from '../../domain/world/rules.ts'
import { eventsOf, StoryEvent } from '../../domain/world/story-events.ts'
import { nullable } from '../../lib/typebox.ts'

/** Turns that are read for one page. */
const TURNS = 200

/** The important events of a story, newest first. */
export const History = Type.Object({
  events: Type.Array(StoryEvent, { description: 'Newest first' }),
  before: nullable(
    Type.Integer({ description: 'The index from which the next page goes back; null if this is the last' }),
  ),
})
export type History = Static<typeof History>

/** The rolls, milestones, flags and large changes of the turns before an index, or of the newest. Throws not_found. */
export function historyOf(reader: Reader, adventureId: number, before?: number): History {
  const rules = readRules(getWorld(reader, adventureId).schema)
  const turns = listDeltas(reader, adventureId, { limit: TURNS + 1, before })
  const shown = turns.slice(0, TURNS)
  const last = shown.at(-1)
  return {
    events: shown.flatMap((turn) => eventsOf(rules, turn)),
    before: last && turns.length > TURNS ? last.index : null,
  }
}
