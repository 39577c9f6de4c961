import { isObject } from '../../../lib/objects.ts'
import { hasOneOf, SIGNS } from './bundle-scenario.ts'
import { cardsFrom, MOST_CARDS, pickCards } from './cards.ts'
import { itemsOf } from './pick.ts'
import { type Format, planOf } from './plan.ts'
import { Reading } from '../../../formats/shared/receipt.ts'
import { refused } from '../../../formats/shared/import-refused.ts'

const LISTS = ['cards', 'storyCards', 'story_cards', 'worldInfo', 'worldInformation']
const CARD_KEYS = ['keys', 'value', 'entry']

/** AI Dungeon's story cards: a list of them, or an object that holds the list and nothing of a plot. */
export const aiDungeonCards: Format = {
  kind: 'ai-dungeon-cards',
  fits: (file) =>
    Array.isArray(file)
      ? file.some((item) => isObject(item) && hasOneOf(item, CARD_KEYS))
      : LISTS.some((key) => Array.isArray(file[key])) &&
        !hasOneOf(file, SIGNS) &&
        !Object.hasOwn(file, 'format'),
  read: (file) => {
    const reading = new Reading()
    const story_cards = Array.isArray(file)
      ? cardsFrom(reading, itemsOf(reading, file, MOST_CARDS))
      : (pickCards(reading, file, LISTS) ?? [])
    if (story_cards.length === 0) throw refused('There is no story card with a word in this file.')
    return planOf('ai-dungeon-cards', reading, file, { story_cards })
  },
}
