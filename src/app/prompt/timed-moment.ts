import type { Reader } from '../../db/database.ts'
import { getAttempts } from '../../db/tables/actions/attempts.ts'
import type { ActionPosition } from '../../db/tables/actions/position.ts'
import { findChances, findTimingRecord } from '../../db/tables/actions/timing-records.ts'
import { getWorld } from '../../db/tables/adventures.ts'
import type { StoryCard } from '../../domain/story-card.ts'
import type { ThrownMoment } from '../../domain/timing/due-cards.ts'
import { hasTiming } from '../../domain/timing/record.ts'
import { reconciledState } from '../../domain/world/reconcile.ts'
import { readRules } from '../../domain/world/rules.ts'

/** What the timed cards of a passage depend on; null without any. A retry has the same moment as the passage it retells. */
export function timedMoment(
  reader: Reader,
  adventureId: number,
  before: ActionPosition | null,
  cards: readonly StoryCard[],
): ThrownMoment | null {
  if (!hasTiming(cards)) return null
  const { schema, state } = getWorld(reader, adventureId)
  const start = before === null ? state : (getAttempts(reader, before.id).world_state_before ?? state)
  return {
    ...findTimingRecord(reader, adventureId, before),
    rules: readRules(schema),
    state: reconciledState(schema, start),
    thrown: findChances(reader, adventureId, before),
  }
}
