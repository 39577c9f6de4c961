import { isObject, objectIn } from '../../lib/objects.ts'
import { parseKeys } from '../cards/keys.ts'
import type { FieldError } from '../errors.ts'
import {
  type Npc,
  type NumberStat,
  type RuleBand,
  type Rules,
  readRules,
  type Stat,
  type TextStat,
} from './rules.ts'
import type { StatSchema } from './state.ts'

// An entry without a name is still being written.
const UNNAMED = /^\w+\.\s*(\.|$)|^npc\.[^.]*\.\s*$/

/** Warnings for the author: valid, but probably a mistake. Paths are written as for the model. */
export function lintSchema(schema: StatSchema | null): FieldError[] {
  const rules = readRules(schema)
  return [
    ...rules.stats.flatMap((stat) => warningsAt(stat.path, statWarnings(stat))),
    ...[...rules.flags, ...rules.milestones].flatMap(({ path, desc }) =>
      warningsAt(path, desc === '' ? ['has no description, so the AI does not know when to set it'] : []),
    ),
    ...rules.npcs.flatMap((npc) => warningsAt(`npc.${npc.id}`, npcWarnings(npc, rules))),
    ...lookalikes(rules),
    ...unknownKeys(schema),
  ].filter(({ path }) => !UNNAMED.test(path))
}

function warningsAt(path: string, messages: string[]): FieldError[] {
  return messages.map((message) => ({ path, message }))
}

const RESERVED = ['world', 'player', 'npc', 'npcs', 'flags', 'milestones', '_meta', 'stats']

function statWarnings(stat: Stat): string[] {
  const warnings = stat.kind === 'text' ? textWarnings(stat) : numberWarnings(stat)
  if (stat.desc === '' && !stat.hidden)
    warnings.push('has no description, so the AI does not know when to change it')
  if (RESERVED.includes(stat.name)) warnings.push('uses a name that is reserved for the world state')
  return warnings
}

function numberWarnings(stat: NumberStat): string[] {
  const { initial, min, max, maxGain, maxLoss, bands, kind, desc } = stat
  const warnings = bandWarnings(bands, min, max)
  if (min !== null && initial < min)
    warnings.push(`starts at ${initial}, below its minimum of ${min}; it will start at ${min}`)
  if (max !== null && initial > max)
    warnings.push(`starts at ${initial}, above its maximum of ${max}; it will start at ${max}`)
  if (maxGain === 0 && maxLoss === 0)
    warnings.push('has a limit of 0 per turn, so the AI can never change it')
  if (kind === 'counter' && !/\b(when|once|each|every|after|if|whenever|only)\b/i.test(desc))
    warnings.push('is a counter, but its description does not say when it goes up')
  const isOnBound = kind === 'number' && min !== max && (initial === max || initial === min)
  if (
    isOnBound &&
    !/positive|negative|minus|plus|[+−-]\d|\badd\b|subtract|raise|lower|gain|los[es]/i.test(desc)
  )
    warnings.push(
      `starts at its ${initial === max ? 'maximum' : 'minimum'}, so a change with the wrong sign would go unnoticed. Say in the description which direction is positive`,
    )
  return warnings
}

// Authors of whole numbers write “0 to 10” and “11 to 60”, and mean that the 10 is in the first range.
function gapWarning({ low, high }: RuleBand, next: RuleBand): string {
  return next.low - high === 1 && Number.isInteger(high)
    ? `has no label at ${high}: a range ends just before its second number, so write ${low} to ${next.low}`
    : `has no label from ${high} to ${next.low}`
}

function bandWarnings(bands: readonly RuleBand[], min: number | null, max: number | null): string[] {
  const sorted = [...bands].sort((one, other) => one.low - other.low)
  const warnings: string[] = []
  for (const [i, band] of sorted.entries()) {
    const { low, high, label } = band
    const next = sorted[i + 1]
    if (next && next.low > high) warnings.push(gapWarning(band, next))
    if (next && next.low < high)
      warnings.push(`has two labels from ${next.low} to ${Math.min(high, next.high)}; the first one applies`)
    if ((max !== null && low > max) || (min !== null && high < min))
      warnings.push(`can never be “${label}”, because that range is out of bounds`)
  }
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first && min !== null && first.low > min) warnings.push(`has no label from ${min} to ${first.low}`)
  if (last && max !== null && last.high < max) warnings.push(`has no label from ${last.high} to ${max}`)
  return warnings
}

function textWarnings({ initial, options, maxLength }: TextStat): string[] {
  if (options && !options.includes(initial))
    return [`starts as “${initial}”, which is not one of its options`]
  if (maxLength !== null && [...initial].length > maxLength)
    return [`starts with more than ${maxLength} characters; the rest will be cut off`]
  return []
}

const MIN_KEY_LENGTH = 3

function npcWarnings({ name, keys, id }: Npc, { npcs }: Rules): string[] {
  const twin = npcs.find((other) => other.id !== id && other.name.toLowerCase() === name.toLowerCase())
  const short = parseKeys(keys)
    .filter(({ kind }) => kind !== 'always')
    .map(({ text }) => text)
    .filter((key) => [...key].length < MIN_KEY_LENGTH)
  return [
    ...(twin ? [`has the same name as npc.${twin.id}`] : []),
    ...short.map((key) => `has the trigger “${key}”, which is short and may match by accident`),
  ]
}

const KEYS = new Set(
  'type initial min max max_delta_per_turn max_gain_per_turn max_loss_per_turn cooldown bands desc label hidden max_length options better'.split(
    ' ',
  ),
)

// A misspelt key has no effect, which the author probably does not expect.
function unknownKeys(schema: StatSchema | null): FieldError[] {
  const sections = ['world', 'player'].map((section) => [section, objectIn(schema, section)] as const)
  const npcs = Object.entries(objectIn(schema, 'npcs')).map(
    ([id, npc]) => [`npc.${id}`, objectIn(npc, 'stats')] as const,
  )
  return [...sections, ...npcs].flatMap(([prefix, stats]) =>
    Object.entries(stats).flatMap(([name, def]) =>
      Object.keys(isObject(def) ? def : {})
        .filter((key) => !KEYS.has(key))
        .map((key) => ({
          path: `${prefix}.${name}`,
          message: `has an unknown key “${key}”, which has no effect`,
        })),
    ),
  )
}

function lookalikes({ stats }: Rules): FieldError[] {
  const seen = new Map<string, string>()
  return stats.flatMap(({ path }) => {
    const form = path.toLowerCase().replace(/[\s_-]+/g, ' ')
    const twin = seen.get(form)
    seen.set(form, twin ?? path)
    return twin === undefined
      ? []
      : [{ path, message: `is spelled almost like ${twin}, so the AI may confuse them` }]
  })
}
