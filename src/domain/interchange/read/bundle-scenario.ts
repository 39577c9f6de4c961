import { isBlank } from '../../../lib/text.ts'
import { isObject } from '../../../lib/objects.ts'
import { pickCards } from './cards.ts'
import { type Format, planOf } from './plan.ts'
import { Reading } from '../../../formats/shared/receipt.ts'
import { refused } from '../../../formats/shared/import-refused.ts'
import { pickScenario } from './scenario-keys.ts'

const FORMAT = 'ai-dnd-scenario-v1'
const PLOT = ['prompt', 'memory', 'authorsNote', 'authors_note', 'aiInstructions', 'ai_instructions']
/** Keys that a scenario has and a mere list of cards has not. */
export const SIGNS = ['title', ...PLOT, 'statSchema', 'stat_schema']
const CARD_LISTS = ['storyCards', 'story_cards', 'worldInfo', 'worldInformation', 'cards']
const OLD_TRACES = ['createdAt', 'updatedAt', 'id', 'publicId', 'nsfw', 'type', 'options']

/** The earlier release's file of a scenario. It named its format and never looked at the name, so any spelling goes. */
export const scenarioBundle: Format = {
  kind: FORMAT,
  fits: (file) =>
    isObject(file) && (file.format === FORMAT || (!Object.hasOwn(file, 'format') && hasOneOf(file, SIGNS))),
  read: (file) => {
    const reading = new Reading()
    if (!isObject(file)) throw refused('This is no scenario.')
    if (Object.hasOwn(file, 'format')) reading.judge('taken', file, 'format', 'What kind of file it is.')
    if (Object.hasOwn(file, 'scripts'))
      reading.judge('dropped', file, 'scripts', 'Scripts. Nothing that a file brings is ever run.')
    for (const key of OLD_TRACES)
      if (Object.hasOwn(file, key))
        reading.judge('dropped', file, key, 'Belongs to the program that wrote it.')
    const fields = pickScenario(reading, file)
    const scenario = {
      ...fields,
      title: isBlank(fields.title) ? 'Imported Scenario' : fields.title,
      story_cards: pickCards(reading, file, CARD_LISTS) ?? [],
    }
    return planOf(FORMAT, reading, file, { scenarios: [scenario] })
  },
}

/** Whether an object has one of some keys, whatever stands under it. */
export function hasOneOf(file: Record<string, unknown>, keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(file, key))
}
