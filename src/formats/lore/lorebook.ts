import { ALWAYS, NEVER } from '../../domain/cards/keys.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { cutTo, isBlank, lengthOf } from '../../lib/text.ts'
import type { Fields, ListItem } from '../shared/fields.ts'
import { asTemplate, hasMacros } from '../shared/macros.ts'
import { type Decorators, parseDecorators } from './decorators.ts'
import { addsToCardOrder, withInsertionOrder } from './insertion-order.ts'
import { noteSettings } from './settings.ts'
import { parseLoreTiming, saysRecursion } from './timing.ts'
import { parseTriggers } from './triggers.ts'

export interface LoreEntry {
  card: CardFields
  /** It is included without a trigger. */
  isAlways: boolean
  order: number
  item: Fields
}

interface OrderedEntry extends LoreEntry {
  /** Its place among the entries of all books. */
  insertion: number | null
}

/**
 * The entries of a lorebook in their order: of a character card, World Info, or Kobold. Empty entries are dropped. They trigger
 * each other where the book says so, or one of them says how it takes part in that.
 */
export function parseLorebook(items: readonly ListItem[], char: string, isRecursive = false): LoreEntry[] {
  const recurses = isRecursive || items.some(({ fields }) => saysRecursion(fields))
  const entries = items.flatMap(({ fields, drop }) => {
    const entry = parseEntry(fields, { char, recurses })
    if (entry === null) drop('Empty entry')
    return entry ?? []
  })
  const sorted = entries.sort((a, b) => a.order - b.order)
  const isNoted = addsToCardOrder(sorted.flatMap(({ insertion }) => insertion ?? []))
  return sorted.map(({ card, insertion, ...entry }) => ({
    ...entry,
    card:
      isNoted && insertion !== null ? { ...card, notes: withInsertionOrder(card.notes, insertion) } : card,
  }))
}

/** Entries as cards. Those that are always included have the trigger `*`. */
export function loreCards(entries: readonly LoreEntry[]): CardFields[] {
  return entries.map(({ card, isAlways, item }) => {
    if (!isAlways) return card
    noteAlways(item, `Always-on lore becomes a card with the trigger ${ALWAYS}`)
    return { ...card, keys: cutTo([ALWAYS, card.keys].filter(Boolean).join(', '), LIMITS.prose) }
  })
}

/** Plot essentials with the entries that are always included, as far as there is room; all others as cards. */
export function withLore(
  memory: string,
  entries: readonly LoreEntry[],
): { memory: string; cards: CardFields[] } {
  const texts = isBlank(memory) ? [] : [memory.trim()]
  let length = lengthOf(memory)
  const cards = entries.filter(({ card, isAlways, item }) => {
    const added = lengthOf(card.entry) + 2
    if (!isAlways || card.timing || length + added > LIMITS.prose) return true
    length += added
    texts.push(card.entry.trim())
    noteAlways(item, 'Always-on lore is added to Plot essentials')
    item.left('Name of always-on lore: Plot essentials have none', 'comment', 'name', 'displayName')
    return false
  })
  return { memory: texts.length > 0 ? texts.join('\n\n') : memory, cards: loreCards(cards) }
}

function noteAlways(item: Fields, what: string): void {
  const text = [...CONTENT, 'text'].find((one) => item.has(one)) ?? ''
  const key = [...CONSTANT, 'forceActivation'].find((one) => item.source[one] === true) ?? text
  item.changed(what, key)
}

/** The text of an entry, with Agnai's name for it. */
const CONTENT = ['content', 'entry']

/** Always included, with RisuAI's name for it. */
const CONSTANT = ['constant', 'alwaysActive']

const OFF = [
  ['enabled', false],
  ['disable', true],
  ['widisabled', true],
] as const

function parseEntry(
  item: Fields,
  { char, recurses }: { char: string; recurses: boolean },
): OrderedEntry | null {
  const text = CONTENT.map((key) => item.source[key]).find((value) => value !== undefined)
  if (typeof text !== 'string' || isBlank(text)) return null
  noteSettings(item)
  const { content, ...decorators } = parseDecorators(parseLoreText(item, CONTENT, 'Entry', { char }))
  noteDecorators(item, decorators)
  const timing = parseLoreTiming(item, decorators.how, recurses)
  const { primary, secondary, first } = parseTriggers(item, char)
  const comment = item.text(['comment'], 'Name', { limit: LIMITS.name, loose: true })
  const name = item.text(['name'], 'Name', { limit: LIMITS.name, loose: true })
  item.came('Whether it is always included', ...CONSTANT)
  item.came('Triggers may be patterns', 'use_regex', 'useRegex')
  const { order, insertion } = parseOrder(item)
  const isOff = noteOff(item) || decorators.forced === 'never'
  const isConstant = CONSTANT.some((key) => item.source[key] === true)
  const isAlways = decorators.forced === 'always' || isConstant
  const needed = isAlways ? [] : [...secondary, ...decorators.secondary]
  const keys = [...(isOff ? [NEVER] : []), ...primary, ...needed]
  const shownName = isBlank(name) ? (isBlank(comment) ? first : comment) : name
  const type = item.text(['category'], 'Type', { limit: LIMITS.cardType })
  const card = {
    type,
    name: cutTo(shownName, LIMITS.name),
    keys: cutTo(keys.join(', '), LIMITS.prose),
    entry: content,
    notes: isBlank(name) || comment === name ? '' : comment,
    ...(timing && { timing }),
  }
  return { card, order, insertion, isAlways: isAlways && !isOff, item }
}

function noteDecorators(item: Fields, { isDecorated, left }: Omit<Decorators, 'content'>): void {
  if (!isDecorated) return
  const names = cutTo([...new Set(left)].join(', '), LIMITS.name)
  const unknown = names === '' ? '' : `; not supported: ${names}`
  item.changed(`Entry, without its decorators${unknown}`, ...CONTENT)
}

/** Notes the switch of an entry. Returns whether it is off. */
export function noteOff(item: Fields): boolean {
  for (const [key, off] of OFF)
    if (item.source[key] === off) item.changed('Imported switched off', key)
    else item.came('Whether it is switched on', key)
  return OFF.some(([key, off]) => item.source[key] === off)
}

// Each key is read, because the receipt names each of them. The first one counts.
function parseOrder(item: Fields): { order: number; insertion: number | null } {
  const isNumber = (value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) ? value : undefined
  const [shown = null, ...inserted] = [
    'displayIndex',
    'insertion_order',
    'insertorder',
    'order',
    'weight',
  ].map((key) => item.value([key], 'Order of the cards', isNumber))
  const insertion = inserted.find((order) => order !== null) ?? null
  return { order: shown ?? insertion ?? 0, insertion }
}

/** A text with its names filled in. Macros that only another program could fill are left, and noted. */
export function parseLoreText(
  item: Fields,
  keys: readonly string[],
  label: string,
  { char, limit = LIMITS.prose }: { char: string; limit?: number },
): string {
  const text = item.text(keys, label, { limit, loose: true })
  const named = asTemplate(text, char)
  const key = keys.find((one) => item.has(one))
  if (key === undefined || (named === text && !hasMacros(text))) return text
  const filled = named === text ? '' : ', with placeholders filled in or removed'
  const left = hasMacros(named) ? ', with placeholders that other programs fill in' : ''
  item.changed(label + filled + left, key)
  return cutTo(named, limit)
}
