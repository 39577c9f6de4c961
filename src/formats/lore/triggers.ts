import { literalKey, parseKeys, splitKeys } from '../../domain/cards/keys.ts'
import { compilePattern } from '../../domain/cards/pattern.ts'
import { readNumber } from '../../lib/numbers.ts'
import { type Fields, strings } from '../shared/fields.ts'
import { asTemplate } from '../shared/macros.ts'
import type { LoreSettings } from './settings.ts'
import { isFoundAnywhere, type Match, type Writer } from './writers.ts'

const PRIMARY = ['key', 'keys', 'keywords']
const SECONDARY = ['keysecondary', 'secondary_keys', 'secondkey', 'secondaryKeys']
const BLOCKING = ['keyanti']

interface Triggers {
  primary: string[]
  /** Triggers that it needs besides, and those that block it. */
  secondary: string[]
  /** The text of the first one, for an entry without a name. */
  first: string
}

/** The rules for the triggers of an entry. */
interface TriggerReading {
  writer: Writer
  settings: LoreSettings
  char: string
}

/** The triggers of an entry in the syntax of a card. */
export function parseTriggers(item: Fields, reading: TriggerReading): Triggers {
  const primary = parseList(item, PRIMARY, 'Triggers', reading)
  const [first] = parseKeys(primary[0] ?? '')
  return { primary, secondary: parseSecond(item, reading), first: first?.text ?? '' }
}

/** The name under which an entry has its triggers; undefined without any. */
export function triggersKey(item: Fields): string | undefined {
  return PRIMARY.find((key) => item.has(key))
}

/** The reader of the triggers of an entry, which gives them in the syntax of a card. */
export function triggerReader({ writer, settings: { of } }: Omit<TriggerReading, 'char'>) {
  const { matchWholeWords } = of
  const isWhole = matchWholeWords === true
  const usual = matchWholeWords === false ? 'inside' : writer.match
  const isFlagged = [of.useRegex, of.use_regex, of.regex].some(Boolean)
  return (text: string): string => {
    const match: Match = !isWhole ? usual : isFoundAnywhere(text) ? 'inside' : 'whole'
    return (
      patternOf(text, { writer, isFlagged }) ??
      (of.caseSensitive === true ? casedPattern(text, match) : undefined) ??
      literalKey(text, match)
    )
  }
}

/** A pattern as SillyTavern writes it (parseRegexFromString in its world-info.js). */
const IN_SLASHES = /^\/(?:[^\\/]|\\[\s\S])+\/[gimsuy]*$/

function patternOf(
  text: string,
  { writer: { patterns, hasWildcards }, isFlagged }: { writer: Writer; isFlagged: boolean },
): string | undefined {
  if (hasWildcards && /[*?]/.test(text)) return usable(`/\\b${withWildcards(text)}\\b/i`)
  if (patterns === 'flagged and bare' && isFlagged) return usable(`/${text.replace(/(?<!\\)\//g, '\\/')}/i`)
  const isPattern = patterns === 'in slashes' || (patterns === 'flagged' && isFlagged)
  return isPattern && IN_SLASHES.test(text) ? usable(text) : undefined
}

function usable(pattern: string): string | undefined {
  return compilePattern(pattern) ? pattern : undefined
}

function withWildcards(text: string): string {
  return escaped(text.replace(/[*?]/g, (sign) => (sign === '*' ? '\u0001' : '\u0002')))
    .replaceAll('\u0001', '\\w*')
    .replaceAll('\u0002', '\\w')
}

/** A text that is looked for with its capitals, which no other trigger of a card minds. */
function casedPattern(text: string, match: Match): string | undefined {
  const start = match === 'inside' ? '' : /^\w/.test(text) ? '\\b' : '(?:^|\\W)'
  const end = match !== 'whole' ? '' : /\w$/.test(text) ? '\\b' : '(?:$|\\W)'
  return usable(`/${start}${escaped(text)}${end}/`)
}

// RegExp.escape makes letters unreadable.
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** By SillyTavern's `selectiveLogic`: the sign of secondary triggers, and what they do. */
const LOGIC = [
  ['+', 'one of them is needed as well'],
  ['--', 'all of them together block it'],
  ['-', 'each of them blocks it'],
  ['++', 'all of them are needed as well'],
] as const

function parseSecond(item: Fields, reading: TriggerReading): string[] {
  const { of, holders } = reading.settings
  const [sign, does] = LOGIC[readNumber(of.selectiveLogic) ?? 0] ?? LOGIC[0]
  for (const holder of holders) holder.came('What secondary triggers do', 'selectiveLogic')
  item.came('Whether the secondary triggers count', 'selective')
  const needed = parseList(item, SECONDARY, `Secondary triggers: ${does}`, reading)
  const blocking = parseList(item, BLOCKING, 'Triggers that block it', reading)
  const keys = [...needed.map((key) => sign + key), ...blocking.map((key) => `-${key}`)]
  const why = ignored(reading.writer, of.selective)
  if (keys.length === 0 || why === undefined) return keys
  item.left(`Secondary triggers, which ${why}`, ...SECONDARY, ...BLOCKING)
  return []
}

/** The reason for which the second triggers of an entry do nothing; undefined where they count. */
function ignored({ second }: Writer, selective: unknown): string | undefined {
  if (second === 'never') return 'its program does not use'
  const counts = second === 'if selective' ? Boolean(selective) : selective !== false
  return counts ? undefined : 'are switched off'
}

function parseList(
  item: Fields,
  names: readonly string[],
  label: string,
  { char, ...reading }: TriggerReading,
): string[] {
  const toKey = triggerReader(reading)
  const triggers = item.value(names, label, (value, key) => {
    const list = Array.isArray(value) ? strings(value) : typeof value === 'string' ? splitKeys(value) : null
    if (list === null) return undefined
    const texts = list.map((one) => asTemplate(one, char).trim()).filter((one) => one !== '')
    const keys = texts.map(toKey)
    if (reading.writer.patterns !== 'never' && texts.some((one) => IN_SLASHES.test(one) && !usable(one)))
      item.changed(`${label}: patterns that are not supported match as text`, key)
    else if (reading.settings.of.caseSensitive === true)
      item.changed(`${label}: patterns, because capitals matter`, key)
    return keys
  })
  return triggers ?? []
}
