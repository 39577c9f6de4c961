import type { Reader } from '../db/database.ts'
import { listCards } from '../db/tables/story-cards.ts'
import { questionsOf } from '../domain/beginning.ts'
import type { Scenario } from '../domain/scenario.ts'
import { warningsOf } from '../domain/world/lint.ts'

/** A scenario as the API answers it: with its cards, and what is asked before a story begins. */
export function scenarioShown(reader: Reader, scenario: Scenario) {
  const story_cards = listCards(reader, { scenario_id: scenario.id })
  const schema_warnings = warningsOf(scenario.stat_schema)
  return { ...scenario, story_cards, questions: questionsOf(scenario, story_cards), schema_warnings }
}
