import { isObject, ownValue } from '../../lib/objects.ts'
import { isBlank } from '../../lib/text.ts'
import { type Format, planOf, rootFields } from '../format.ts'
import { parseScenarioFields } from '../shared/scenario-fields.ts'
import { parseCards } from '../shared/story-cards.ts'

const FORMAT = 'ai-dnd-scenario-v1'
const CARD_LISTS = ['storyCards', 'story_cards', 'worldInfo', 'worldInformation', 'cards']
const PROGRAM_KEYS = ['createdAt', 'updatedAt', 'id', 'publicId', 'nsfw', 'type', 'options']

/**
 * A scenario of the earlier release, which never checked the name of the format: any spelling of the keys is read. Without
 * that name a file needs a title or an opening, and two parts of a scenario, since many other files have a title and a prompt.
 */
export const earlierScenario: Format = {
  kind: FORMAT,
  matches: (file) =>
    isObject(file) &&
    (file.format === FORMAT || (!Object.hasOwn(file, 'format') && isNamed(file) && partsIn(file) >= 2)),
  parse: (source) => {
    const file = rootFields(source)
    file.note('taken', 'format', 'File format.')
    file.note('dropped', 'scripts', 'Scripts are never run.')
    for (const key of PROGRAM_KEYS) file.note('dropped', key, 'Only used by the program that wrote the file.')
    const fields = parseScenarioFields(file)
    const scenario = {
      ...fields,
      title: isBlank(fields.title) ? 'Imported Scenario' : fields.title,
      story_cards: parseCards(file, CARD_LISTS) ?? [],
    }
    return planOf(FORMAT, file, { scenarios: [scenario] })
  },
}

/** Whether an object has what begins a scenario. */
function isNamed({ title, prompt }: Record<string, unknown>): boolean {
  return typeof title === 'string' || typeof prompt === 'string'
}

/** How many parts of a scenario an object has: its opening, its other texts, its stats and its cards. */
function partsIn(file: Record<string, unknown>): number {
  const [isText, isList] = [(value: unknown) => typeof value === 'string', Array.isArray]
  const parts: [keys: readonly string[], is: (value: unknown) => boolean][] = [
    [['prompt'], isText],
    [['memory'], isText],
    [['authorsNote', 'authors_note', 'authorsNoteText'], isText],
    [['aiInstructions', 'ai_instructions'], isText],
    [['statSchema', 'stat_schema'], isObject],
    [CARD_LISTS, isList],
  ]
  return parts.filter(([keys, is]) => keys.some((key) => is(ownValue(file, key)))).length
}
