import type { App } from '../../app/app.ts'
import type { Reader } from '../../db/database.ts'
import { listAdventures } from '../../db/tables/adventure-list.ts'
import { getScenario, listScenarios } from '../../db/tables/scenarios.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { listCards } from '../../db/tables/story-cards.ts'
import { isPractice } from '../../domain/settings.ts'
import { questionsWithPlaces } from '../../domain/start-from-scenario.ts'
import type { LibraryProps } from './library.tsx'

export function libraryProps(app: App): LibraryProps {
  const { reader } = app
  const adventures = listAdventures(reader)
  const scenarios = listScenarios(reader)
  return {
    adventures,
    scenarios,
    first:
      adventures.length > 0 ? null : (scenarios.find(({ id }) => hasNoPlaceholders(reader, id))?.id ?? null),
    practice: isPractice(getSettings(reader)),
    engine: { state: app.engine.current(), offer: app.engine.offer() },
    copyTrouble: app.idle.copyFailure(),
    conversion: app.conversionReport(),
    now: app.now(),
  }
}

function hasNoPlaceholders(reader: Reader, id: number): boolean {
  return questionsWithPlaces(getScenario(reader, id), listCards(reader, { scenario_id: id })).length === 0
}
