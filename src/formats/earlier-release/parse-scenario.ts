import { isObject } from '../../lib/objects.ts'
import { isBlank } from '../../lib/text.ts'
import { type Format, planOf, rootFields } from '../format.ts'
import { parseScenarioFields } from '../shared/scenario-fields.ts'
import { scenarioOrigin } from '../shared/scenario-parts.ts'
import { CARD_LISTS, parseCards } from '../shared/story-cards.ts'

const FORMAT = 'ai-dnd-scenario-v1'

/** A scenario of the earlier release, which never checked the name of the format: any spelling of the keys is read. */
export const earlierScenario: Format = {
  kind: FORMAT,
  matches: (file) => isObject(file) && (file.format === FORMAT || scenarioOrigin(file) === 'earlier release'),
  parse: (source) => {
    const file = rootFields(source)
    file.came('File format', 'format')
    file.left('Scripts are never run', 'scripts')
    const fields = parseScenarioFields(file)
    const scenario = {
      ...fields,
      title: isBlank(fields.title) ? 'Imported Scenario' : fields.title,
      story_cards: parseCards(file, CARD_LISTS) ?? [],
    }
    return planOf(FORMAT, file, { scenarios: [scenario] })
  },
}
