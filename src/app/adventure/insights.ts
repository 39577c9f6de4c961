import { type Static, Type } from '@sinclair/typebox'
import type { Reader } from '../../db/database.ts'
import { getAction } from '../../db/tables/actions/list.ts'
import { listTurnCosts } from '../../db/tables/actions/snapshots.ts'
import { getVariants, listDeltas } from '../../db/tables/actions/variants.ts'
import { getWorld } from '../../db/tables/adventures.ts'
import { TurnCost } from '../../domain/prompt/turn-cost.ts'
import { readRules } from '../../domain/world/rules.ts'
import { RecordedTurn, recordedTurn, ValueHistory, valueHistories } from '../../domain/world/value-history.ts'

/** Turns in the report. */
const TURNS = 200

/** Effects of recent turns on the world, and their costs. */
export const Insights = Type.Object({
  turns: Type.Array(RecordedTurn, { description: 'Recent turns, newest first' }),
  history: Type.Array(ValueHistory, { description: 'How each value changed' }),
  costs: Type.Array(TurnCost, { description: 'What recent turns cost, oldest first' }),
})

export type Insights = Static<typeof Insights>

/** Turns in the charts of costs. */
const CHART_POINTS = 60

/** Throws not_found. */
export function insightsOf(reader: Reader, adventureId: number): Insights {
  const { schema } = getWorld(reader, adventureId)
  const turns = listDeltas(reader, adventureId, { limit: TURNS }).map(recordedTurn)
  return {
    turns,
    history: valueHistories(readRules(schema), turns.toReversed()),
    costs: listTurnCosts(reader, adventureId, CHART_POINTS),
  }
}

/** The raw model output of an action's current variant. Throws not_found. */
export function rawResponse(reader: Reader, adventureId: number, actionId: number): string {
  const { text, variant_index } = getAction(reader, adventureId, actionId)
  return getVariants(reader, actionId).variants[variant_index]?.raw_output ?? text
}
