import { LIMITS, MAX_CARDS } from '../../domain/limits.ts'
import type { ImportPlan } from '../../domain/portable/portable.ts'
import { hasOneOf, isObject } from '../../lib/objects.ts'
import { type Format, planOf, rootFields } from '../format.ts'
import { parseLorebook } from '../lore/lorebook.ts'
import { WRITERS, writerOf } from '../lore/writers.ts'
import { Fields, itemsIn } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { type JsonContainer, ReceiptBuilder } from '../shared/receipt.ts'

/** SillyTavern's World Info, the lorebook of a character card in a file of its own, that of JanitorAI, a bare list, and that of Agnai. */
export const worldInfo: Format = {
  kind: 'world-info',
  matches: (file) =>
    isObject(file) ? namesItself(file) || hasEntries(bookIn(file).entries) : hasEntries(file),
  parse: (source) => {
    const file = isObject(source) ? rootFields(source) : { receipt: new ReceiptBuilder(), source }
    const fields = isObject(source) ? new Fields(file.receipt, bookIn(source)) : null
    const entries = fields ? entriesIn(fields) : source
    const items = itemsIn(file.receipt, entries, MAX_CARDS)
    const writer = fields ? writerOf(fields.source, Object.values(entries)) : WRITERS.janitorai
    // The file does not name the character, so its macro stays.
    const story_cards = parseLorebook(items, { writer, char: '{{char}}', fields })
    if (story_cards.length === 0) throw importRefused('This lorebook has no entry with text.')
    const book = fields ? parseAbout(fields) : undefined
    return { ...planOf('world-info', file, { story_cards }), ...(book && { book }) }
  },
}

function parseAbout(book: Fields): ImportPlan['book'] {
  const title = book.text(['name'], 'Title of a scenario made of it', { limit: LIMITS.name, loose: true })
  const description = book.text(['description'], 'Description of a scenario made of it')
  return { title: title.trim(), description }
}

function entriesIn(book: Fields): JsonContainer {
  const { entries } = book.source
  if (!isObject(entries) && !Array.isArray(entries)) throw importRefused('This lorebook has no entries.')
  if (Object.keys(entries).length === 0) throw importRefused('This lorebook has no entries.')
  book.came('Story cards', 'entries')
  book.came('File format', 'kind')
  return entries
}

function namesItself({ spec, kind, entries }: Record<string, unknown>): boolean {
  return spec === 'lorebook_v3' || (kind === 'memory' && Array.isArray(entries))
}

function bookIn(file: Record<string, unknown>): Record<string, unknown> {
  return file.spec === 'lorebook_v3' && isObject(file.data) ? file.data : file
}

const ENTRY_KEYS = ['key', 'keys', 'keywords', 'constant', 'disable', 'insertion_order']

function hasEntries(entries: unknown): boolean {
  const list = isObject(entries) ? Object.values(entries) : entries
  if (!Array.isArray(list)) return false
  // Our own export of a scenario without cards.
  if (list.length === 0) return isObject(entries)
  return list.some(
    (entry) =>
      isObject(entry) &&
      ('content' in entry ? hasOneOf(entry, ENTRY_KEYS) : 'entry' in entry && Array.isArray(entry.keywords)),
  )
}
