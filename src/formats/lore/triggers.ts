import { literalKey, parseKeys, splitKeys } from '../../domain/cards/keys.ts'
import { compilePattern } from '../../domain/cards/pattern.ts'
import { type Fields, strings } from '../shared/fields.ts'
import { asTemplate } from '../shared/macros.ts'

const PRIMARY = ['key', 'keys', 'keywords']
const SECONDARY = ['keysecondary', 'secondary_keys', 'secondkey', 'secondaryKeys']

interface Triggers {
  primary: string[]
  /** Those that it needs besides, and those that block it. */
  secondary: string[]
  /** The text of the first one, for an entry without a name. */
  first: string
}

/** The triggers of an entry in the syntax of a card. */
export function parseTriggers(item: Fields, char: string): Triggers {
  const primary = parseList(item, PRIMARY, 'Triggers', char)
  const blocking = parseList(item, ['keyanti'], 'Triggers that block it', char).map((key) => `-${key}`)
  const [first] = parseKeys(primary[0] ?? '')
  return { primary, secondary: [...parseSecondary(item, char), ...blocking], first: first?.text ?? '' }
}

/**
 * A trigger of another program in the syntax of a card. SillyTavern and RisuAI take it as a pattern where it is written as
 * one, whatever `use_regex` says: SillyTavern sets that in every entry of a card (convertWorldInfoToCharacterBook in its
 * src/endpoints/characters.js), and RisuAI clears it where the first trigger has no slash (src/ts/characterCards.ts).
 */
export function triggerOf(text: string): string {
  return compilePattern(text) ? text : literalKey(text)
}

/** By SillyTavern's `selectiveLogic`: the sign of secondary triggers, and what they do. */
const LOGIC = [
  ['+', 'one of them is needed as well'],
  ['--', 'all of them together block it'],
  ['-', 'each of them blocks it'],
  ['++', 'all of them are needed as well'],
] as const

function parseSecondary(item: Fields, char: string): string[] {
  const [sign, does] = LOGIC[parseLogic(item)] ?? LOGIC[0]
  const key = SECONDARY.find((one) => item.has(one))
  const keys = parseList(item, SECONDARY, `Secondary triggers: ${does}`, char)
  item.came('Whether the secondary triggers count', 'selective')
  if (key === undefined || keys.length === 0) return []
  if (item.source.selective !== false) return keys.map((one) => sign + one)
  item.left('Secondary triggers, which are switched off', key)
  return []
}

// Of a card's entry, SillyTavern reads only the settings in `extensions`.
function parseLogic(item: Fields): number {
  const holders = [item.child('extensions'), item]
  const found = holders.map((holder) => holder?.count(['selectiveLogic'], 'What secondary triggers do'))
  return found.find((one) => typeof one === 'number') ?? 0
}

function parseList(item: Fields, names: readonly string[], label: string, char: string): string[] {
  const triggers = item.value(names, label, (value, key) => {
    const list = Array.isArray(value) ? strings(value) : typeof value === 'string' ? splitKeys(value) : null
    if (list === null) return undefined
    const texts = list.map((one) => asTemplate(one, char).trim()).filter((one) => one !== '')
    if (texts.some((one) => /^\/.+\/[a-z]*$/s.test(one) && !compilePattern(one)))
      item.changed(`${label}: patterns that are not supported match as text`, key)
    return texts.map(triggerOf)
  })
  return triggers ?? []
}
