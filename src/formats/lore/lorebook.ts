import { ALWAYS, NEVER } from '../../domain/cards/keys.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import type { Fields, ListItem } from '../shared/fields.ts'
import { asTemplate, hasMacros } from '../shared/macros.ts'
import { type Decorators, parseDecorators } from './decorators.ts'
import { addsToCardOrder, withInsertionOrder } from './insertion-order.ts'
import { noteSettings, settingsOf } from './settings.ts'
import { isRecursive, parseLoreTiming } from './timing.ts'
import { parseTriggers, triggerReader, triggersKey } from './triggers.ts'
import type { Writer } from './writers.ts'

/** The book around some entries, and who wrote it. */
interface LoreBook {
  writer: Writer
  /** The name of their character in the texts. */
  char: string
  /** The object that holds the entries; null for a bare list. */
  fields: Fields | null
}

interface EntryCard {
  card: CardFields
  order: number
  /** Its place among the entries of all books. */
  insertion: number | null
}

/** The entries of a lorebook as cards in their order: of a character card, World Info, or Kobold. Empty entries are dropped. */
export function parseLorebook(items: readonly ListItem[], { writer, char, fields }: LoreBook): CardFields[] {
  const parts = items.flatMap(({ fields: item, drop }) => {
    const found = partsOf(item, { writer, char })
    if (found === null) drop('Empty entry')
    return found ?? []
  })
  const recurses = isRecursive(
    fields,
    parts.map(({ settings }) => settings),
    writer,
  )
  const entries = parts.map((one) => parseEntry(one, { writer, char, recurses }))
  const sorted = entries.sort((a, b) => a.order - b.order)
  const isNoted = addsToCardOrder(sorted.flatMap(({ insertion }) => insertion ?? []))
  return sorted.map(({ card, insertion }) =>
    isNoted && insertion !== null ? { ...card, notes: withInsertionOrder(card.notes, insertion) } : card,
  )
}

/** The trigger of an entry that is always told, before those that it has. */
export function alwaysKeys(item: Fields, key: string, keys: readonly string[]): string[] {
  item.changed(`Always-on lore becomes a card with the trigger ${ALWAYS}`, key)
  return [ALWAYS, ...keys]
}

/** Says of an entry that nothing triggers what its program does with it. */
export function noteUntriggered(item: Fields, content: string): void {
  item.changed('Entry without triggers: told only when switched to always', triggersKey(item) ?? content)
}

/** The text of an entry, with Agnai's name for it. */
const CONTENT = ['content', 'entry']

/** Tests of the switches of an entry for being off. */
const SWITCHES: Record<string, (value: unknown) => boolean> = {
  enabled: (value) => !value,
  disable: Boolean,
  widisabled: Boolean,
}

interface EntryParts {
  item: Fields
  content: string
  decorators: Omit<Decorators, 'content'>
  settings: ReturnType<typeof settingsOf>
}

function partsOf(item: Fields, { writer, char }: { writer: Writer; char: string }): EntryParts | null {
  const text = CONTENT.map((key) => item.source[key]).find((value) => value !== undefined)
  if (typeof text !== 'string' || isBlank(text)) return null
  const { content, ...decorators } = parseDecorators(parseLoreText(item, CONTENT, 'Entry', { char }))
  noteDecorators(item, decorators)
  const settings = settingsOf(item, writer, decorators.settings)
  noteSettings(settings)
  return { item, content, decorators, settings }
}

function parseEntry(
  { item, content, decorators, settings }: EntryParts,
  { writer, char, recurses }: { writer: Writer; char: string; recurses: boolean },
): EntryCard {
  const { timing, isNever } = parseLoreTiming(settings, { writer, decorated: decorators.how, recurses })
  const { primary, secondary, first } = parseTriggers(item, { writer, settings, char })
  const toKey = triggerReader({ writer, settings })
  const decorated = decorators.secondary.map(({ sign, text }) => sign + toKey(text))
  item.came('Whether it is always included', 'constant', 'alwaysActive')
  const { order, insertion } = parseOrder(item)
  const isBlocked = noteOff(item) || decorators.forced === 'never' || isNever
  const constant = writer.constant.find((key) => Boolean(item.source[key]))
  const [text = ''] = CONTENT.filter((key) => item.has(key))
  const isAlways = constant !== undefined || decorators.forced === 'always'
  if (!isAlways && !isBlocked && primary.length === 0) noteUntriggered(item, text)
  const keys = isAlways && !isBlocked ? alwaysKeys(item, constant ?? text, primary) : primary
  const needed = isAlways ? [] : [...secondary, ...decorated]
  const { type, name, notes } = parseLabels(item, first)
  const card = {
    type,
    name,
    keys: cutTo([...(isBlocked ? [NEVER] : []), ...keys, ...needed].join(', '), LIMITS.prose),
    entry: content,
    notes,
    ...(timing && { timing }),
  }
  return { card, order, insertion }
}

/** Name, type and notes of an entry. `fallback` is for one without a name. */
function parseLabels(item: Fields, fallback: string): Pick<CardFields, 'type' | 'name' | 'notes'> {
  const comment = item.text(['comment'], 'Name', { limit: LIMITS.name, loose: true })
  const name = item.text(['name'], 'Name', { limit: LIMITS.name, loose: true })
  const own = item.child('extensions')?.child(OWN_LABELS)
  const notes = own?.text(['notes'], 'Notes') ?? ''
  const type = item.text(['category'], 'Type', { limit: LIMITS.cardType })
  const shown = [name, comment, fallback].find((one) => !isBlank(one)) ?? ''
  const other = isBlank(name) || comment === name ? '' : comment
  return {
    type: own?.text(['type'], 'Type', { limit: LIMITS.cardType }) || type,
    name: cutTo(shown, LIMITS.name),
    notes: isBlank(notes) ? other : notes,
  }
}

/** The key in the extensions of an entry of ours for what an entry has no name for. */
export const OWN_LABELS = 'inglenook'

function noteDecorators(item: Fields, { isDecorated, left }: Omit<Decorators, 'content'>): void {
  if (!isDecorated) return
  const names = cutTo([...new Set(left)].join(', '), LIMITS.name)
  const unknown = names === '' ? '' : `; not supported: ${names}`
  item.changed(`Entry, without its decorators${unknown}`, ...CONTENT)
}

/** Notes the switch of an entry. Returns whether it is off. */
export function noteOff(item: Fields): boolean {
  const off = Object.keys(SWITCHES).filter((key) => item.has(key) && SWITCHES[key]?.(item.source[key]))
  item.came('Whether it is switched on', ...Object.keys(SWITCHES))
  item.changed('Imported switched off', ...off)
  return off.length > 0
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
