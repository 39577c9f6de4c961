import { findAnswers, getAdventure, updateAnswers } from '../db/tables/adventures.ts'
import type { Reader } from '../db/database.ts'
import { findScenario } from '../db/tables/scenarios.ts'
import { listCards } from '../db/tables/story-cards.ts'
import { type Question, standingQuestions } from '../domain/beginning.ts'
import type { Answers } from '../domain/placeholder.ts'
import type { Deps } from './deps.ts'

/** What a story was told about itself, and what its scenario asks that still matters to it. */
export interface Answered {
  placeholders: Answers
  questions: Question[]
  /** Questions without an answer. */
  needed: string[]
}

/** The answers of a story. Without a scenario nothing is asked. Throws not_found. */
export function answersOf(reader: Reader, adventureId: number): Answered {
  const { scenario_id } = getAdventure(reader, adventureId)
  const scenario = scenario_id === null ? null : findScenario(reader, scenario_id)
  const placeholders = findAnswers(reader, adventureId) ?? {}
  const questions = scenario
    ? standingQuestions(scenario, listCards(reader, { scenario_id: scenario.id }))
    : []
  const needed = questions.map(({ name }) => name).filter((name) => !Object.hasOwn(placeholders, name))
  return { placeholders, questions, needed }
}

/**
 * Keeps answers beside those that are there. Texts that were filled stay as they are until the story is refreshed. Throws
 * not_found.
 */
export function changeAnswers(deps: Deps, adventureId: number, given: Answers): Answered {
  deps.library.write((tx) => {
    getAdventure(tx, adventureId)
    updateAnswers(tx, adventureId, { ...findAnswers(tx, adventureId), ...given })
  })
  return answersOf(deps.library.reader, adventureId)
}
