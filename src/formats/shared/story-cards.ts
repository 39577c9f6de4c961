import { LIMITS, MAX_CARDS } from '../../domain/limits.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import { type Fields, type ListItem, strings } from './fields.ts'

/** Names of a list of cards in a file. */
export const CARD_LISTS = ['storyCards', 'story_cards', 'worldInfo', 'worldInformation', 'cards']

/** The cards of a list in a file, in any of the spellings in use; null without a list. */
export function parseCards(file: Fields, keys: readonly string[]): CardFields[] | null {
  const items = file.list(keys, 'Story cards', MAX_CARDS)
  return items && cardsFrom(items)
}

/** The cards among the objects of a list. Empty ones are dropped. */
export function cardsFrom(items: readonly ListItem[]): CardFields[] {
  return items.flatMap(({ fields, drop }) => {
    const card = parseCard(fields)
    if (card !== null) return [card]
    drop('Empty card')
    return []
  })
}

/**
 * A card in the spelling of the earlier release or of AI Dungeon; null when it is empty. Cards of AI Dungeon may have their
 * text in the description, and no triggers.
 */
function parseCard(item: Fields): CardFields | null {
  const isAiDungeons = !item.has('entry')
  const entry = item.text(['entry', 'value'], 'Entry')
  const isInNotes = isAiDungeons && isBlank(entry)
  const notes = item.text(['notes', 'description'], isInNotes ? 'Entry' : 'Notes')
  const name = item.text(['name', 'title'], 'Name', { limit: LIMITS.name, loose: true })
  const keys = parseKeys(item)
  const type = item.text(['type'], 'Type', { limit: LIMITS.cardType })
  if ([entry, notes, name, keys].every(isBlank)) return null
  const isNamedOnly = isAiDungeons && isBlank(keys) && !isBlank(name)
  if (isNamedOnly) item.changed('No triggers, so the name is used as one', 'keys')
  return {
    type,
    name,
    keys: isNamedOnly ? name : keys,
    entry: isInNotes ? notes : entry,
    notes: isInNotes || notes === entry ? '' : notes,
  }
}

/** Triggers as one text; a list is joined. */
function parseKeys(item: Fields): string {
  const keys = item.value(['keys'], 'Triggers', (value, key) => {
    const joined = Array.isArray(value) ? strings(value).join(', ') : value
    if (typeof joined !== 'string') return undefined
    const whole = joined.toWellFormed()
    const cut = cutTo(whole, LIMITS.prose)
    if (cut !== whole) item.changed(`Triggers, shortened to ${LIMITS.prose} characters`, key)
    return cut
  })
  return keys ?? ''
}
