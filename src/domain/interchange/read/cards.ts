import { LIMITS } from '../../limits.ts'
import type { CardFields } from '../../story-card.ts'
import { cutTo, isBlank } from '../../../lib/text.ts'
import { type Items, pick, pickList, pickText, strings } from './pick.ts'
import type { Reading } from '../../../formats/shared/receipt.ts'

/** Cards of one owner in a file: more than the largest books of lore in use. */
export const MOST_CARDS = 10_000

/** The cards of a list in a file, in any of the spellings in use; null without a list. */
export function pickCards(
  reading: Reading,
  holder: Record<string, unknown>,
  keys: readonly string[],
): CardFields[] | null {
  const found = pickList(reading, holder, keys, 'Story cards', MOST_CARDS)
  return found && cardsFrom(reading, found)
}

/** The cards among the objects of a list. Those without a word are dropped. */
export function cardsFrom(reading: Reading, { list, items }: Items): CardFields[] {
  return items.flatMap(({ item, place }) => {
    const card = cardFrom(reading, item)
    if (card !== null) return [card]
    reading.judge('dropped', list, place, 'A card without a word in it.')
    return []
  })
}

/**
 * A card in the earlier release's spelling or in AI Dungeon's; null when it says nothing. AI Dungeon's may have their
 * text among the notes, and none of the triggers that would call them up.
 */
function cardFrom(reading: Reading, item: Record<string, unknown>): CardFields | null {
  const isAiDungeons = !Object.hasOwn(item, 'entry')
  const entry = pickText(reading, item, ['entry', 'value'], 'Entry')
  const isInNotes = isAiDungeons && isBlank(entry)
  const notes = pickText(reading, item, ['notes', 'description'], isInNotes ? 'Entry' : 'Notes')
  const name = pickText(reading, item, ['name', 'title'], 'Name', { limit: LIMITS.name, loose: true })
  const keys = pickKeys(reading, item, ['keys'])
  const type = pickText(reading, item, ['type'], 'Type', { limit: LIMITS.cardType })
  if (Object.hasOwn(item, 'useForCharacterCreation'))
    reading.judge('dropped', item, 'useForCharacterCreation', 'A switch of AI Dungeon.')
  if ([entry, notes, name, keys].every(isBlank)) return null
  const isNamedOnly = isAiDungeons && isBlank(keys) && !isBlank(name)
  if (isNamedOnly && Object.hasOwn(item, 'keys'))
    reading.judge('changed', item, 'keys', 'No triggers: the name became one.')
  return {
    type,
    name,
    keys: isNamedOnly ? name : keys,
    entry: isInNotes ? notes : entry,
    notes: isInNotes || notes === entry ? '' : notes,
  }
}

/** Triggers as one text; a list is joined. */
export function pickKeys(reading: Reading, item: Record<string, unknown>, keys: readonly string[]): string {
  return (
    pick(reading, item, keys, 'Triggers', (value, key) => {
      const joined = Array.isArray(value) ? strings(value).join(', ') : value
      if (typeof joined !== 'string') return undefined
      const whole = joined.toWellFormed()
      const text = cutTo(whole, LIMITS.prose)
      if (text === whole) reading.judge('taken', item, key, 'Triggers.')
      else reading.judge('changed', item, key, `Triggers, cut to ${LIMITS.prose} characters.`)
      return text
    }) ?? ''
  )
}
