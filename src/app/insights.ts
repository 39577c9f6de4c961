import { getAction, getAttempts, listDeltas, listTimes } from '../db/actions.ts'
import { getWorld } from '../db/tables/adventures.ts'
import type { Reader } from '../db/database.ts'
import { listTurnCosts } from '../db/snapshots.ts'
import type { Told, TurnCost } from '../domain/turn-cost.ts'
import { historyOf, type Recorded, recordedAt, type ValueHistory } from '../domain/world/history.ts'
import { readRules } from '../domain/world/rules.ts'

/** Turns that the report goes back. */
const TURNS = 200

/** What the last turns did to the world, newest first, and how each value came to be what it is. */
export interface Insights {
  turns: Recorded[]
  history: ValueHistory[]
  /** What the last turns cost, oldest first. */
  costs: TurnCost[]
  /** When passages all along the story were told. */
  told: Told[]
}

/** Turns whose cost is drawn, and passages whose time is. */
const DRAWN = 60

/** Throws not_found. */
export function insightsOf(reader: Reader, adventureId: number): Insights {
  const { schema } = getWorld(reader, adventureId)
  const turns = listDeltas(reader, adventureId, TURNS).map(recordedAt)
  return {
    turns,
    history: historyOf(readRules(schema), turns.toReversed()),
    costs: listTurnCosts(reader, adventureId, DRAWN),
    told: listTimes(reader, adventureId, DRAWN),
  }
}

/** The live attempt of an action as the model wrote it. Throws not_found. */
export function rawReply(reader: Reader, adventureId: number, actionId: number): string {
  const { text, variant_index } = getAction(reader, adventureId, actionId)
  return getAttempts(reader, actionId).variants[variant_index]?.raw_output ?? text
}
