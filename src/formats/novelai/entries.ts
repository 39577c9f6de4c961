import { NEVER } from '../../domain/cards/keys.ts'
import { LIMITS, MAX_CARDS } from '../../domain/limits.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import { type LoreEntry, noteOff } from '../lore/lorebook.ts'
import { parseTriggers } from '../lore/triggers.ts'
import type { Fields } from '../shared/fields.ts'

/** The entries of a lorebook of NovelAI in their order; those without text are dropped. */
export function parseEntries(book: Fields): LoreEntry[] {
  book.came('File format', 'lorebookVersion')
  const types = parseCategories(book)
  const items = book.list(['entries'], 'Story cards', MAX_CARDS) ?? []
  const entries = items.flatMap(({ fields, drop }) => {
    const entry = parseEntry(fields, types)
    if (entry === null) drop('Empty entry')
    return entry ?? []
  })
  return entries.sort((a, b) => a.order - b.order)
}

function parseCategories(book: Fields): Map<unknown, string> {
  const items = book.list(['categories'], 'Types of cards', MAX_CARDS) ?? []
  return new Map(
    items.map(({ fields }) => {
      fields.came('Which entries are of this type', 'id')
      return [fields.source.id, fields.text(['name'], 'Type', { limit: LIMITS.cardType })]
    }),
  )
}

function parseEntry(item: Fields, types: ReadonlyMap<unknown, string>): LoreEntry | null {
  const text = item.text(['text'], 'Entry')
  if (isBlank(text)) return null
  const { primary, first } = parseTriggers(item, '{{char}}')
  const name = item.text(['displayName'], 'Name', { limit: LIMITS.name, loose: true })
  item.came('Type', 'category')
  item.left(
    'Conditions are ignored: included whenever triggered',
    'searchRange',
    'keyRelative',
    'nonStoryActivatable',
    'loreBiasGroups',
    'advancedConditions',
  )
  const isAlways = item.flag(['forceActivation'], 'Whether it is always included')
  const isOff = noteOff(item)
  const { around, order } = parseConfig(item)
  const card = {
    type: types.get(item.source.category) ?? '',
    name: isBlank(name) ? first : name,
    keys: cutTo([...(isOff ? [NEVER] : []), ...primary].join(', '), LIMITS.prose),
    entry: cutTo(around(text).trim(), LIMITS.prose),
    notes: '',
  }
  return { card, isAlways: isAlways && !isOff, order, item }
}

function parseConfig(item: Fields): { around: (text: string) => string; order: number } {
  const config = item.child('contextConfig')
  if (config === null) return { around: (text) => text, order: 0 }
  const prefix = config.text(['prefix'], 'In front of the entry', { limit: LIMITS.name })
  const suffix = config.text(['suffix'], 'Behind the entry', { limit: LIMITS.name })
  const { budgetPriority } = config.source
  config.came('Order of the cards', 'budgetPriority')
  const order = typeof budgetPriority === 'number' ? -budgetPriority : 0
  return { around: (text) => prefix + text + suffix, order }
}
