import type { App } from '../../app/app.ts'
import { authoredSchema } from '../../app/scenario/stat-schema.ts'
import { findUnusedCards } from '../../db/stories/unused-cards.ts'
import { listPlayerNames } from '../../db/tables/player-names.ts'
import { getScenario, pictureHash } from '../../db/tables/scenarios.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { listCards } from '../../db/tables/story-cards.ts'
import { imageUrl } from '../../domain/scenario.ts'
import { isPractice } from '../../domain/settings.ts'
import { questionsOf, questionsWithPlaces } from '../../domain/start-from-scenario.ts'
import type { Answers } from '../../domain/text/placeholder.ts'
import type { EditorProps } from './editor.tsx'
import type { PreviewProps } from './preview.tsx'
import type { ScenarioProps } from './scenario.tsx'

/** Throws not_found. */
export function scenarioProps({ reader }: App, id: number): ScenarioProps {
  const scenario = getScenario(reader, id)
  const cards = listCards(reader, { scenario_id: id })
  return {
    scenario,
    cards,
    image_url: imageUrl(id, pictureHash(scenario.image)),
    placeholders: questionsWithPlaces(scenario, cards),
    names: listPlayerNames(reader),
    practice: isPractice(getSettings(reader)),
  }
}

/** Throws not_found. */
export function editorProps(app: App, id: number, { answers = {}, line = '' }: Tried = {}): EditorProps {
  return {
    ...scenarioProps(app, id),
    unused: findUnusedCards(app.reader, { scenario_id: id }),
    start: app.trialStart({ scenario_id: id }),
    stats: { scenarioId: id, ...authoredSchema(app.reader, id) },
    preview: previewProps(app, id, { answers, line }),
  }
}

interface Tried {
  answers?: Answers
  line?: string
}

export function previewProps(app: App, id: number, tried: Required<Tried>): PreviewProps {
  const scenario = getScenario(app.reader, id)
  const questions = questionsOf(scenario, listCards(app.reader, { scenario_id: id }))
  return { ...app.previewScenario(id, tried), ...tried, scenarioId: id, questions }
}
