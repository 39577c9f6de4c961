import { listActions } from '../db/actions.ts'
import { getAdventure } from '../db/adventures.ts'
import type { Reader } from '../db/database.ts'
import { listCards } from '../db/story-cards.ts'
import { questionsOf } from '../domain/beginning.ts'
import { PAGE } from '../domain/limits.ts'
import type { Scenario } from '../domain/scenario.ts'
import { warningsOf } from '../domain/world/lint.ts'

/** A scenario as the API answers it: with its cards, and what is asked before a story begins. */
export function scenarioShown(reader: Reader, scenario: Scenario) {
  const story_cards = listCards(reader, { scenario_id: scenario.id })
  const schema_warnings = warningsOf(scenario.stat_schema)
  return { ...scenario, story_cards, questions: questionsOf(scenario, story_cards), schema_warnings }
}

/** An adventure as the API answers it: with its cards and its newest actions. Throws not_found. */
export function adventureShown(reader: Reader, id: number) {
  return {
    ...getAdventure(reader, id),
    story_cards: listCards(reader, { adventure_id: id }),
    actions: listActions(reader, id, PAGE).actions,
  }
}
