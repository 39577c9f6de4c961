import { compilePattern } from '../../domain/cards/pattern.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import { type Fields, type ListItem, strings } from './fields.ts'
import { hasMacros, READER_PLACEHOLDER, withNames } from './macros.ts'

export interface Lorebook {
  cards: CardFields[]
  /** Entries that are always in context. They have no triggers. */
  always: CardFields[]
}

/** The entries of a lorebook: of a character card, World Info, or Kobold. Disabled and empty entries are dropped. */
export function parseLorebook(items: readonly ListItem[], char: string): Lorebook {
  const always: CardFields[] = []
  const cards: LoreEntry[] = []
  for (const { fields, drop } of items) {
    const isOff = OFF.some(([key, off]) => fields.source[key] === off)
    const entry = isOff ? null : parseEntry(fields, char)
    if (entry === null) drop(isOff ? 'Disabled entry.' : 'Empty entry.')
    else if (entry.isAlways) always.push({ ...entry.card, keys: '' })
    else cards.push(entry)
  }
  cards.sort((a, b) => a.order - b.order)
  return { cards: cards.map(({ card }) => card), always }
}

/** An entry that was always in context, as a card. Nothing triggers it, so its notes say what to do. */
export function keyless(card: CardFields): CardFields {
  return {
    ...card,
    notes: 'Always told where it comes from: move it to Plot essentials, or give it a trigger.',
  }
}

const OFF = [
  ['enabled', false],
  ['disable', true],
  ['widisabled', true],
] as const

interface LoreEntry {
  card: CardFields
  order: number
  isAlways: boolean
}

function parseEntry(item: Fields, char: string): LoreEntry | null {
  const { content: raw, constant, use_regex } = item.source
  if (typeof raw !== 'string' || isBlank(raw)) return null
  const { content, decorators } = withoutDecorators(parseLoreText(item, ['content'], 'Entry', { char }))
  const keys = parseTriggers(item, char)
  const comment = item.text(['comment'], 'Name', { limit: LIMITS.name, loose: true })
  const name = item.text(['name'], 'Name', { limit: LIMITS.name, loose: true })
  noteSwitches(item)
  const shownName = isBlank(name) ? (isBlank(comment) ? (keys[0] ?? '') : comment) : name
  const card = {
    type: '',
    name: cutTo(shownName, LIMITS.name),
    keys: cutTo(keys.join(', '), LIMITS.prose),
    entry: content,
    notes: isBlank(name) || comment === name ? '' : comment,
  }
  const isAlways = decorators.has('activate') || (constant === true && use_regex !== true)
  return { card, order: parseOrder(item), isAlways }
}

function noteSwitches(item: Fields): void {
  item.note('taken', 'constant', 'Whether it is always in context.')
  for (const [key] of OFF) item.note('taken', key, 'Whether it is enabled.')
  for (const key of ['keysecondary', 'secondary_keys', 'keyanti'])
    item.note('dropped', key, 'Secondary triggers are not supported. Only the primary ones are used.')
}

// Each key is read, because the receipt names each of them. The first one counts.
function parseOrder(item: Fields): number {
  const isNumber = (value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) ? value : undefined
  const orders = ['displayIndex', 'insertion_order', 'order'].map((key) =>
    item.valueIf([key], 'Order of the cards', isNumber),
  )
  return orders.find((order) => order !== null) ?? 0
}

/** A text with its names filled in. Macros that only another program could fill are left, and noted. */
export function parseLoreText(
  item: Fields,
  keys: readonly string[],
  label: string,
  { char, limit = LIMITS.prose }: { char: string; limit?: number },
): string {
  const text = item.text(keys, label, { limit, loose: true })
  const named = withNames(text, char, READER_PLACEHOLDER)
  const key = keys.find((one) => item.has(one))
  if (key === undefined || (named === text && !hasMacros(text))) return text
  const left = hasMacros(named) ? ' Placeholders of other programs are left as they are.' : ''
  const filled = named === text ? '' : ' Placeholders are filled in or removed.'
  item.note('changed', key, `${label}.${filled}${left}`)
  return cutTo(named, limit)
}

function parseTriggers(item: Fields, char: string): string[] {
  const isPattern = item.source.use_regex === true
  const triggers = item.value(['key', 'keys'], 'Triggers', (value, key) => {
    const list = Array.isArray(value) ? strings(value) : typeof value === 'string' ? value.split(',') : null
    if (list === null) return undefined
    const usable = list.flatMap((one) =>
      usableTrigger(withNames(one, char, READER_PLACEHOLDER).trim(), isPattern),
    )
    const isComplete = usable.length === list.filter((one) => !isBlank(one)).length
    if (isComplete) item.note('taken', key, 'Triggers.')
    else item.note('changed', key, 'Triggers, without patterns that are not supported.')
    return usable
  })
  return triggers ?? []
}

/** The trigger in the syntax of our keys; [] for a pattern that we do not support. */
function usableTrigger(key: string, isPattern: boolean): string[] {
  if (key === '') return []
  const written = /^\/([\s\S]+)\/([a-z]*)$/.exec(key)
  if (written || isPattern) {
    const pattern = `/${written?.[1] ?? key}/${(written?.[2] ?? '').includes('i') ? 'i' : ''}`
    return compilePattern(pattern) ? [pattern] : []
  }
  // Commas and leading signs have a meaning in our keys.
  return [key.replaceAll(',', ' ').replace(/^[-=*/\s]+/, '')].filter((one) => one !== '')
}

const DECORATOR = /^@@@?(\w+)[^\n]*(?:\n|$)/

/** Splits off the lines at the top that tell another program when to insert the text. */
function withoutDecorators(text: string): { content: string; decorators: Set<string> } {
  const decorators = new Set<string>()
  let content = text
  for (let found = DECORATOR.exec(content); found; found = DECORATOR.exec(content)) {
    decorators.add(found[1] ?? '')
    content = content.slice(found[0].length)
  }
  return { content, decorators }
}
