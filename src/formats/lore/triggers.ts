import { compilePattern } from '../../domain/cards/pattern.ts'
import { isBlank } from '../../lib/text.ts'
import { type Fields, strings } from '../shared/fields.ts'
import { asTemplate } from '../shared/macros.ts'

const PRIMARY = ['key', 'keys', 'keywords']
const SECONDARY = ['keysecondary', 'secondary_keys', 'secondkey', 'secondaryKeys']

/** The triggers of an entry in the syntax of a card: its own, then those that it needs besides, and those that block it. */
export function parseTriggers(item: Fields, char: string): { primary: string[]; secondary: string[] } {
  const primary = parseKeys(item, PRIMARY, 'Triggers', char)
  const blocking = parseKeys(item, ['keyanti'], 'Triggers that block it', char).map((key) => `-${key}`)
  return { primary, secondary: [...parseSecondary(item, char), ...blocking] }
}

/** Whether all triggers of an entry are patterns. */
export function isPattern({ source }: Fields): boolean {
  return source.use_regex === true || source.useRegex === true
}

function parseSecondary(item: Fields, char: string): string[] {
  const { selective } = item.source
  const key = SECONDARY.find((one) => item.has(one))
  const keys = parseKeys(item, SECONDARY, 'Secondary triggers: one of them is needed as well', char)
  const logic = parseLogic(item)
  item.note('taken', 'selective', 'Whether the secondary triggers count.')
  if (key === undefined || keys.length === 0) return []
  if (selective === false || isPattern(item)) {
    item.note('dropped', key, 'Secondary triggers, which are switched off.')
    return []
  }
  const isAll = logic === 'all' || logic === 'not all'
  if (logic === 'not any' || (logic === 'not all' && keys.length === 1)) {
    item.note('changed', key, 'Secondary triggers: each of them blocks the card.')
    return keys.map((one) => `-${one}`)
  }
  if (logic === 'not all') {
    item.note('dropped', key, 'Secondary triggers that block an entry only together are not supported.')
    return []
  }
  if (isAll && keys.length > 1)
    item.note('changed', key, 'Secondary triggers: one of them is needed here, all of them there.')
  return keys.map((one) => `+${one}`)
}

const LOGIC = ['any', 'not all', 'not any', 'all'] as const

// SillyTavern keeps its own settings of a card's entry in `extensions`.
function parseLogic(item: Fields): (typeof LOGIC)[number] {
  const holders = [item, item.child('extensions')]
  const found = holders.map((holder) => holder?.count(['selectiveLogic'], 'What secondary triggers do'))
  return LOGIC[found.find((one) => typeof one === 'number') ?? 0] ?? 'any'
}

function parseKeys(item: Fields, names: readonly string[], label: string, char: string): string[] {
  const triggers = item.value(names, label, (value, key) => {
    const list = Array.isArray(value) ? strings(value) : typeof value === 'string' ? value.split(',') : null
    if (list === null) return undefined
    const usable = list.flatMap((one) => usableTrigger(asTemplate(one, char).trim(), isPattern(item)))
    const isComplete = usable.length === list.filter((one) => !isBlank(one)).length
    if (isComplete) item.note('taken', key, `${label}.`)
    else item.note('changed', key, `${label}, without patterns that are not supported.`)
    return usable
  })
  return triggers ?? []
}

/** The trigger in the syntax of our keys; [] for a pattern that we do not support. */
function usableTrigger(key: string, isAlwaysPattern: boolean): string[] {
  if (key === '') return []
  const written = /^\/([\s\S]+)\/([a-z]*)$/.exec(key)
  if (written || isAlwaysPattern) {
    const pattern = `/${written?.[1] ?? key}/${(written?.[2] ?? '').includes('i') ? 'i' : ''}`
    return compilePattern(pattern) ? [pattern] : []
  }
  // Commas and leading signs have a meaning in our keys.
  return [key.replaceAll(',', ' ').replace(/^[-+=*/\s]+/, '')].filter((one) => one !== '')
}
