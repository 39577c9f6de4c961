import type { Deps } from '../../app/deps.ts'
import { authoredSchema } from '../../app/stat-schema.ts'
import { listAdventures } from '../../db/tables/adventures.ts'
import type { Reader } from '../../db/database.ts'
import { getScenario, listScenarios, pictureHash } from '../../db/tables/scenarios.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { listCards } from '../../db/tables/story-cards.ts'
import { placedQuestions } from '../../domain/beginning.ts'
import { imageUrl } from '../../domain/scenario.ts'
import { isPractice } from '../../domain/settings.ts'
import type { ScenarioProps } from '../scenario/scenario.tsx'
import type { LibraryProps } from './library.tsx'

export function libraryProps(deps: Deps): LibraryProps {
  const { reader } = deps.library
  const adventures = listAdventures(reader)
  const scenarios = listScenarios(reader)
  return {
    adventures,
    scenarios,
    first: adventures.length > 0 ? null : (scenarios.find(({ id }) => asksNothing(reader, id))?.id ?? null),
    practice: isPractice(getSettings(reader)),
    copyTrouble: deps.idle.copyTrouble(),
    now: deps.now(),
  }
}

function asksNothing(reader: Reader, id: number): boolean {
  return placedQuestions(getScenario(reader, id), listCards(reader, { scenario_id: id })).length === 0
}

/** Throws not_found. */
export function scenarioProps(deps: Deps, id: number): ScenarioProps {
  const { reader } = deps.library
  const scenario = getScenario(reader, id)
  const cards = listCards(reader, { scenario_id: id })
  return {
    scenario,
    image_url: imageUrl(id, pictureHash(scenario.image)),
    cards,
    questions: placedQuestions(scenario, cards),
    stats: { scenarioId: id, ...authoredSchema(reader, id) },
    practice: isPractice(getSettings(reader)),
  }
}
