import { NEVER } from '../../domain/cards/keys.ts'
import { LIMITS, MAX_CARDS } from '../../domain/limits.ts'
import type { CardFields } from '../../domain/story-card.ts'
import type { How } from '../../domain/timing/timing.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import { alwaysKeys, noteOff, noteUntriggered } from '../lore/lorebook.ts'
import { parseTriggers } from '../lore/triggers.ts'
import { WRITERS } from '../lore/writers.ts'
import type { Fields } from '../shared/fields.ts'

interface Category {
  name: string
  isOff: boolean
}

/** The facts that hold for all entries of a book. */
interface Book {
  categories: ReadonlyMap<unknown, Category>
  /** The texts of its entries trigger those that are set so ("cascading activation"). */
  cascades: boolean
}

/** The entries of a lorebook of NovelAI as cards in their order; those without text are dropped. */
export function parseEntries(file: Fields): CardFields[] {
  file.came('File format', 'lorebookVersion')
  const categories = parseCategories(file)
  const items = file.list(['entries'], 'Story cards', MAX_CARDS) ?? []
  const cascades = items.some(({ fields }) => fields.source.nonStoryActivatable === true)
  const entries = items.flatMap(({ fields, drop }) => {
    const entry = parseEntry(fields, { categories, cascades })
    if (entry === null) drop('Empty entry')
    return entry ?? []
  })
  return entries.sort((a, b) => a.order - b.order).map(({ card }) => card)
}

function parseCategories(book: Fields): Map<unknown, Category> {
  const items = book.list(['categories'], 'Types of cards', MAX_CARDS) ?? []
  return new Map(
    items.map(({ fields }) => {
      fields.came('Which entries are of this type', 'id')
      const isOff = noteOff(fields)
      return [fields.source.id, { name: fields.text(['name'], 'Type', { limit: LIMITS.cardType }), isOff }]
    }),
  )
}

function parseEntry(
  item: Fields,
  { categories, cascades }: Book,
): { card: CardFields; order: number } | null {
  const text = item.text(['text'], 'Entry')
  if (isBlank(text)) return null
  const reading = { writer: WRITERS.novelai, settings: { of: {}, holders: [] }, char: '{{char}}' }
  const { primary, first } = parseTriggers(item, reading)
  const name = item.text(['displayName'], 'Name', { limit: LIMITS.name, loose: true })
  const category = categories.get(item.source.category)
  item.came('Type', 'category')
  item.left(
    'Conditions are ignored: included whenever triggered',
    ...['searchRange', 'keyRelative', 'loreBiasGroups', 'advancedConditions'],
  )
  item.came('Which cards trigger each other', 'nonStoryActivatable')
  const isAlways = item.flag(['forceActivation'], 'Whether it is always included')
  const isOff = noteOff(item) || category?.isOff === true
  if (!isOff && !isAlways && primary.length === 0) noteUntriggered(item, 'text')
  const { around, order } = parseConfig(item)
  const told = isAlways && !isOff ? alwaysKeys(item, 'forceActivation', primary) : primary
  const card = {
    type: category?.name ?? '',
    name: isBlank(name) ? first : name,
    keys: cutTo([...(isOff ? [NEVER] : []), ...told].join(', '), LIMITS.prose),
    entry: cutTo(around(text).trim(), LIMITS.prose),
    notes: '',
    ...(cascades ? { timing: { when: [], how: cascade(item) } } : {}),
  }
  return { card, order }
}

function cascade(item: Fields): How {
  return {
    triggers_others: true,
    ...(item.source.nonStoryActivatable === true ? {} : { triggered_by: 'story' }),
  }
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
