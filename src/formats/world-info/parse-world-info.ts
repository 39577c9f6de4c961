import { MAX_CARDS } from '../../domain/limits.ts'
import { hasOneOf, isObject } from '../../lib/objects.ts'
import { type Format, planOf, rootFields } from '../format.ts'
import { loreCards, parseLorebook } from '../lore/lorebook.ts'
import { isRecursive } from '../lore/timing.ts'
import { Fields, itemsIn } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { type JsonContainer, ReceiptBuilder } from '../shared/receipt.ts'

/** SillyTavern's World Info, the lorebook of a character card in a file of its own, that of JanitorAI, a bare list, and that of Agnai. */
export const worldInfo: Format = {
  kind: 'world-info',
  matches: (file) => hasEntries(isObject(file) ? bookIn(file).entries : file),
  parse: (source) => {
    const file = isObject(source) ? rootFields(source) : { receipt: new ReceiptBuilder(), source }
    const book = isObject(source) ? new Fields(file.receipt, bookIn(source)) : null
    const items = itemsIn(file.receipt, book ? entriesIn(book) : source, MAX_CARDS)
    // The file does not name the character, so its macro stays.
    const story_cards = loreCards(parseLorebook(items, '{{char}}', book !== null && isRecursive(book)))
    if (story_cards.length === 0) throw importRefused('This lorebook has no entry with text.')
    return planOf('world-info', file, { story_cards })
  },
}

function entriesIn(book: Fields): JsonContainer {
  const { entries } = book.source
  if (!isObject(entries) && !Array.isArray(entries)) throw importRefused('This lorebook has no entries.')
  book.came('Story cards', 'entries')
  return entries
}

function bookIn(file: Record<string, unknown>): Record<string, unknown> {
  return file.spec === 'lorebook_v3' && isObject(file.data) ? file.data : file
}

const ENTRY_KEYS = ['key', 'keys', 'keywords', 'constant', 'disable', 'insertion_order']

function hasEntries(entries: unknown): boolean {
  const list = isObject(entries) ? Object.values(entries) : Array.isArray(entries) ? entries : []
  return list.some(
    (entry) =>
      isObject(entry) &&
      ('content' in entry ? hasOneOf(entry, ENTRY_KEYS) : 'entry' in entry && Array.isArray(entry.keywords)),
  )
}
