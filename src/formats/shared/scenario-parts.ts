import { hasOneOf, isObject, ownValue } from '../../lib/objects.ts'
import { CARD_LISTS } from './story-cards.ts'

const [isText, isList] = [(value: unknown) => typeof value === 'string', Array.isArray]

/** The opening of a scenario, its other texts, its stats and its cards, in all spellings of the earlier release. */
const PARTS: readonly [keys: readonly string[], is: (value: unknown) => boolean][] = [
  [['prompt'], isText],
  [['memory'], isText],
  [['authorsNote', 'authors_note', 'authorsNoteText'], isText],
  [['aiInstructions', 'ai_instructions'], isText],
  [['statSchema', 'stat_schema'], isObject],
  [CARD_LISTS, isList],
]

/** Keys of scenarios that the earlier release has and AI Dungeon has not. */
const OF_EARLIER_RELEASE = [
  ...['authors_note', 'authorsNoteText', 'aiInstructions', 'ai_instructions'],
  ...['statSchema', 'stat_schema', 'story_cards'],
]

/**
 * The origin of a scenario that does not name its format; null if the object is none: it needs a title or an opening,
 * and two parts of a scenario, since many other files have a title and a prompt.
 */
export function scenarioOrigin(file: unknown): 'earlier release' | 'ai dungeon' | null {
  if (!isObject(file) || Object.hasOwn(file, 'format')) return null
  if (typeof file.title !== 'string' && typeof file.prompt !== 'string') return null
  const parts = PARTS.filter(([keys, is]) => keys.some((key) => is(ownValue(file, key))))
  if (parts.length < 2) return null
  return hasOneOf(file, OF_EARLIER_RELEASE) ? 'earlier release' : 'ai dungeon'
}
