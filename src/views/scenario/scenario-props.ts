import type { App } from '../../app/app.ts'
import { authoredSchema } from '../../app/scenario/stat-schema.ts'
import { getScenario, pictureHash } from '../../db/tables/scenarios.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { listCards } from '../../db/tables/story-cards.ts'
import { imageUrl } from '../../domain/scenario.ts'
import { isPractice } from '../../domain/settings.ts'
import { questionsWithPlaces } from '../../domain/start-from-scenario.ts'
import type { ScenarioProps } from './scenario.tsx'

/** What a scenario's page shows. Throws not_found. */
export function scenarioProps(app: App, id: number): ScenarioProps {
  const { reader } = app
  const scenario = getScenario(reader, id)
  const cards = listCards(reader, { scenario_id: id })
  return {
    scenario,
    image_url: imageUrl(id, pictureHash(scenario.image)),
    cards,
    placeholders: questionsWithPlaces(scenario, cards),
    stats: { scenarioId: id, ...authoredSchema(reader, id) },
    practice: isPractice(getSettings(reader)),
  }
}
