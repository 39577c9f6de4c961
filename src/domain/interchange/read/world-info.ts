import type { CardFields } from '../../story-card.ts'
import { isObject } from '../../../lib/objects.ts'
import { MOST_CARDS } from './cards.ts'
import { loreFrom } from './lore.ts'
import { itemsOf } from './pick.ts'
import { type Format, planOf } from './plan.ts'
import { Reading } from '../../../formats/shared/receipt.ts'
import { refused } from '../../../formats/shared/import-refused.ts'

/** SillyTavern's World Info, and a character's book that stands alone. */
export const worldInfo: Format = {
  kind: 'world-info',
  fits: (file) => isObject(file) && isBook(bookIn(file).entries),
  read: (file) => {
    const reading = new Reading()
    if (!isObject(file)) throw refused('This is no book of lore.')
    const book = bookIn(file)
    if (book !== file) reading.open(book)
    const { entries } = book
    if (!isObject(entries) && !Array.isArray(entries)) throw refused('This book of lore has no entries.')
    reading.judge('taken', book, 'entries', 'Story cards.')
    // Nobody says who the character is, so the stand-in for it stays.
    const lore = loreFrom(reading, itemsOf(reading, entries, MOST_CARDS), '{{char}}')
    const story_cards = [...lore.cards, ...lore.always.map(keyless)]
    if (story_cards.length === 0) throw refused('There is no entry with a word in this book of lore.')
    return planOf('world-info', reading, file, { story_cards })
  },
}

/** A card that was always told where it comes from. No trigger calls it up, so its notes say what to do. */
export function keyless(card: CardFields): CardFields {
  return {
    ...card,
    notes: 'Always told where it comes from: move it to Plot essentials, or give it a trigger.',
  }
}

function bookIn(file: Record<string, unknown>): Record<string, unknown> {
  return file.spec === 'lorebook_v3' && isObject(file.data) ? file.data : file
}

function isBook(entries: unknown): boolean {
  if (isObject(entries)) return Object.values(entries).some((one) => isObject(one) && 'content' in one)
  return Array.isArray(entries) && entries.some((one) => isObject(one) && 'content' in one)
}
