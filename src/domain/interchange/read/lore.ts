import { patternOf } from '../../cards/pattern.ts'
import { LIMITS } from '../../limits.ts'
import type { CardFields } from '../../story-card.ts'
import { cutTo, isBlank } from '../../../lib/text.ts'
import { ownValue } from '../../../lib/objects.ts'
import { hasMacros, READER, withNames } from '../../../formats/shared/macros.ts'
import { type Items, pick, pickText, strings } from './pick.ts'
import type { Reading } from '../../../formats/shared/receipt.ts'

/** What is always told, and the cards. */
export interface Lore {
  /** Without triggers. */
  always: CardFields[]
  cards: CardFields[]
}

/**
 * The entries of a book of lore: a character's, World Info, or Kobold's. What is switched off or empty is dropped; what is always told is given apart, because a
 * card is told only when one of its triggers is.
 */
export function loreFrom(reading: Reading, { list, items }: Items, char: string): Lore {
  const always: CardFields[] = []
  const placed = items.flatMap(({ item, place }) => {
    if (OFF.some(([key, off]) => item[key] === off))
      return dropped(reading, list, place, 'An entry that is switched off.')
    const entry = entryFrom(reading, item, char)
    if (entry === null) return dropped(reading, list, place, 'An entry without a word.')
    if (!entry.isAlways) return [entry]
    always.push({ ...entry.card, keys: '' })
    return []
  })
  placed.sort((one, other) => one.order - other.order)
  return { always, cards: placed.map(({ card }) => card) }
}

const OFF = [
  ['enabled', false],
  ['disable', true],
  ['widisabled', true],
] as const

function dropped(reading: Reading, list: Items['list'], place: string, note: string): [] {
  reading.judge('dropped', list, place, note)
  return []
}

interface Entry {
  card: CardFields
  order: number
  isAlways: boolean
}

function entryFrom(reading: Reading, item: Record<string, unknown>, char: string): Entry | null {
  if (isBlank(typeof item.content === 'string' ? item.content : '')) return null
  const { content, marks } = undecorated(pickLore(reading, item, ['content'], 'Entry', char))
  const keys = pickTriggers(reading, item, char)
  const comment = pickText(reading, item, ['comment'], 'Name', { limit: LIMITS.name, loose: true })
  const name = pickText(reading, item, ['name'], 'Name', { limit: LIMITS.name, loose: true })
  const isAlways = marks.has('activate') || (item.constant === true && item.use_regex !== true)
  if (Object.hasOwn(item, 'constant'))
    reading.judge('taken', item, 'constant', 'Whether it is always told: then it is a plot essential.')
  for (const [key] of OFF)
    if (Object.hasOwn(item, key)) reading.judge('taken', item, key, 'Whether it is switched on.')
  for (const key of ['keysecondary', 'secondary_keys', 'keyanti'])
    if (Object.hasOwn(item, key))
      reading.judge('dropped', item, key, 'Second triggers. A card is called up by its first ones alone.')
  const [order] = ORDERS.map((key) => pickOrder(reading, item, key)).filter((one) => one !== null)
  const card = {
    type: '',
    name: isBlank(name) ? (isBlank(comment) ? (keys[0] ?? '') : comment) : name,
    keys: cutTo(keys.join(', '), LIMITS.prose),
    entry: content,
    notes: isBlank(name) || comment === name ? '' : comment,
  }
  return { card: { ...card, name: cutTo(card.name, LIMITS.name) }, order: order ?? 0, isAlways }
}

const ORDERS = ['displayIndex', 'insertion_order', 'order']

function pickOrder(reading: Reading, item: Record<string, unknown>, key: string): number | null {
  const order = pick(reading, item, [key], 'Order', (value, at) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
    reading.judge('taken', item, at, 'The order of the cards.')
    return value
  })
  return order ?? null
}

/** A text of lore with its names filled; what only another program could fill is left, and said. */
export function pickLore(
  reading: Reading,
  item: Record<string, unknown>,
  keys: readonly string[],
  label: string,
  char: string,
  limit: number = LIMITS.prose,
): string {
  const text = pickText(reading, item, keys, label, { limit, loose: true })
  const named = withNames(text, char, READER)
  const key = keys.find((one) => ownValue(item, one) !== undefined)
  if (key === undefined || (named === text && !hasMacros(text))) return text
  const left = hasMacros(named) ? ' Stand-ins that only another program could fill are left as they are.' : ''
  const filled = named === text ? '' : ' Stand-ins are filled in or left out.'
  reading.judge('changed', item, key, `${label}.${filled}${left}`)
  return cutTo(named, limit)
}

// Pattern keys are taken where ours can look for them; a comma or a sign of ours would change a key's meaning.
function pickTriggers(reading: Reading, item: Record<string, unknown>, char: string): string[] {
  const isPattern = item.use_regex === true
  const found = pick(reading, item, ['key', 'keys'], 'Triggers', (value, key) => {
    const listed = Array.isArray(value) ? strings(value) : typeof value === 'string' ? value.split(',') : null
    if (listed === null) return undefined
    const usable = listed.flatMap((one) => triggersFrom(withNames(one, char, READER).trim(), isPattern))
    const isWhole = usable.length === listed.filter((one) => !isBlank(one)).length
    if (isWhole) reading.judge('taken', item, key, 'Triggers.')
    else
      reading.judge('changed', item, key, 'Triggers: patterns that cannot be looked for here are left out.')
    return usable
  })
  return found ?? []
}

function triggersFrom(key: string, isPattern: boolean): string[] {
  if (key === '') return []
  const written = /^\/([\s\S]+)\/([a-z]*)$/.exec(key)
  if (written || isPattern) {
    const pattern = `/${written?.[1] ?? key}/${(written?.[2] ?? '').includes('i') ? 'i' : ''}`
    return patternOf(pattern) ? [pattern] : []
  }
  // A sign at the front means something in our keys.
  return [key.replaceAll(',', ' ').replace(/^[-=*/\s]+/, '')].filter((one) => one !== '')
}

const DECORATOR = /^@@@?(\w+)[^\n]*(?:\n|$)/

/** The text without the lines at its top that tell another program when to show it. */
function undecorated(text: string): { content: string; marks: Set<string> } {
  const marks = new Set<string>()
  let content = text
  for (let found = DECORATOR.exec(content); found; found = DECORATOR.exec(content)) {
    marks.add(found[1] ?? '')
    content = content.slice(found[0].length)
  }
  return { content, marks }
}
