import { type Static, Type } from '@sinclair/typebox'
import type { Reader } from '../../db/database.ts'
import { findAnswers, getAdventure, updateAnswers } from '../../db/tables/adventures.ts'
import { findScenario } from '../../db/tables/scenarios.ts'
import { listCards } from '../../db/tables/story-cards.ts'
import { PlaceholderQuestion, remainingQuestions } from '../../domain/start-from-scenario.ts'
import type { Answers } from '../../domain/text/placeholder.ts'
import type { Deps } from '../deps.ts'

/** The answers of a story, and the placeholders of its scenario that still matter to it. */
export const PlaceholderAnswers = Type.Object({
  placeholders: Type.Record(Type.String(), Type.String()),
  questions: Type.Array(PlaceholderQuestion, {
    description: 'The placeholders of the scenario that still matter, with every place that uses them',
  }),
  needed: Type.Array(Type.String(), { description: 'Placeholders without an answer' }),
})

export type PlaceholderAnswers = Static<typeof PlaceholderAnswers>

/** A story without a scenario has no questions. Throws not_found. */
export function placeholderAnswers(reader: Reader, adventureId: number): PlaceholderAnswers {
  const { scenario_id } = getAdventure(reader, adventureId)
  const scenario = scenario_id === null ? null : findScenario(reader, scenario_id)
  const placeholders = findAnswers(reader, adventureId) ?? {}
  const questions = scenario
    ? remainingQuestions(scenario, listCards(reader, { scenario_id: scenario.id }))
    : []
  const needed = questions.map(({ name }) => name).filter((name) => !Object.hasOwn(placeholders, name))
  return { placeholders, questions, needed }
}

/** Adds or changes some answers. The texts of the story change with its next refresh. Throws not_found. */
export function changePlaceholders(deps: Deps, adventureId: number, changes: Answers): PlaceholderAnswers {
  deps.library.write((tx) => {
    getAdventure(tx, adventureId)
    updateAnswers(tx, adventureId, { ...findAnswers(tx, adventureId), ...changes })
  })
  return placeholderAnswers(deps.library.reader, adventureId)
}
