import { parseKeys } from '../cards/keys.ts'
import type { Fault } from '../errors.ts'
import { isObject, objectIn } from '../../lib/objects.ts'
import {
  type Band,
  type Npc,
  type NumberStat,
  type Rules,
  readRules,
  type Stat,
  type TextStat,
} from './rules.ts'
import type { StatSchema } from './state.ts'

/** What an author should look at: allowed, and likely not meant (8.4l of the world-state sheet). Paths are those of the model. */
export function warningsOf(schema: StatSchema | null): Fault[] {
  const rules = readRules(schema)
  return [
    ...rules.stats.flatMap((stat) => about(stat.path, statWarnings(stat))),
    ...[...rules.flags, ...rules.milestones].flatMap(({ path, desc }) =>
      about(path, desc === '' ? ['has no description: the model does not know when to set it'] : []),
    ),
    ...rules.npcs.flatMap((npc) => about(`npc.${npc.id}`, npcWarnings(npc, rules))),
    ...lookalikes(rules),
    ...unknownKeys(schema),
  ]
}

function about(path: string, messages: string[]): Fault[] {
  return messages.map((message) => ({ path, message }))
}

const RESERVED = ['world', 'player', 'npc', 'npcs', 'flags', 'milestones', '_meta', 'stats']

function statWarnings(stat: Stat): string[] {
  const own = stat.kind === 'text' ? textWarnings(stat) : numberWarnings(stat)
  if (stat.desc === '' && !stat.hidden) own.push('has no description: the model does not know what moves it')
  if (RESERVED.includes(stat.name)) own.push('has a name that the world state uses itself')
  return own
}

function numberWarnings(stat: NumberStat): string[] {
  const { initial, min, max, maxGain, maxLoss, bands, kind, desc } = stat
  const warnings = bandWarnings(bands, min, max)
  if (min !== null && initial < min)
    warnings.push(`starts at ${initial}, below its least, ${min}: it begins at ${min}`)
  if (max !== null && initial > max)
    warnings.push(`starts at ${initial}, above its most, ${max}: it begins at ${max}`)
  if (maxGain === 0 && maxLoss === 0) warnings.push('has a cap of 0: the model can never move it')
  if (kind === 'counter' && !/\b(when|once|each|every|after|if|whenever|only)\b/i.test(desc))
    warnings.push('is a counter, and its description does not say when it counts up')
  const isOnBound = kind === 'number' && min !== max && (initial === max || initial === min)
  if (
    isOnBound &&
    !/positive|negative|minus|plus|[+−-]\d|\badd\b|subtract|raise|lower|gain|los[es]/i.test(desc)
  )
    warnings.push(
      `starts at its ${initial === max ? 'most' : 'least'}: a change with the wrong sign would go unseen. Say in the description what is positive and what is negative`,
    )
  return warnings
}

function bandWarnings(bands: readonly Band[], min: number | null, max: number | null): string[] {
  const sorted = [...bands].sort((one, other) => one.low - other.low)
  const warnings: string[] = []
  for (const [i, { high, label }] of sorted.entries()) {
    const next = sorted[i + 1]
    if (next && next.low > high) warnings.push(`has no band from ${high} to ${next.low}`)
    if (next && next.low < high)
      warnings.push(`has two bands from ${next.low} to ${Math.min(high, next.high)}: the first one counts`)
    if ((max !== null && (sorted[i]?.low ?? 0) > max) || (min !== null && high < min))
      warnings.push(`can never be “${label}”: the band lies outside its range`)
  }
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first && min !== null && first.low > min) warnings.push(`has no band from ${min} to ${first.low}`)
  if (last && max !== null && last.high < max) warnings.push(`has no band from ${last.high} to ${max}`)
  return warnings
}

function textWarnings({ initial, options, maxLength }: TextStat): string[] {
  if (options && !options.includes(initial)) return [`starts as “${initial}”, which is not among its options`]
  if (maxLength !== null && [...initial].length > maxLength)
    return [`starts with more than its ${maxLength} characters: the rest is cut`]
  return []
}

const SHORTEST_KEY = 3

function npcWarnings({ name, keys, id }: Npc, { npcs }: Rules): string[] {
  const twin = npcs.find((other) => other.id !== id && other.name.toLowerCase() === name.toLowerCase())
  const short = parseKeys(keys)
    .map(({ text }) => text)
    .filter((key) => [...key].length < SHORTEST_KEY)
  return [
    ...(twin ? [`has the same name as npc.${twin.id}`] : []),
    ...short.map((key) => `is called up by “${key}”, which is short and may occur by chance`),
  ]
}

const KEYS = new Set(
  'type initial min max max_delta_per_turn max_gain_per_turn max_loss_per_turn cooldown bands desc label hidden max_length options'.split(
    ' ',
  ),
)

// A misspelt key is kept and says nothing: most likely it was meant to say something.
function unknownKeys(schema: StatSchema | null): Fault[] {
  const sections = ['world', 'player'].map((section) => [section, objectIn(schema, section)] as const)
  const cast = Object.entries(objectIn(schema, 'npcs')).map(
    ([id, npc]) => [`npc.${id}`, objectIn(npc, 'stats')] as const,
  )
  return [...sections, ...cast].flatMap(([prefix, stats]) =>
    Object.entries(stats).flatMap(([name, def]) =>
      Object.keys(isObject(def) ? def : {})
        .filter((key) => !KEYS.has(key))
        .map((key) => ({ path: `${prefix}.${name}`, message: `has a key “${key}” that says nothing here` })),
    ),
  )
}

function lookalikes({ stats }: Rules): Fault[] {
  const seen = new Map<string, string>()
  return stats.flatMap(({ path }) => {
    const form = path.toLowerCase().replace(/[\s_-]+/g, ' ')
    const twin = seen.get(form)
    seen.set(form, twin ?? path)
    return twin === undefined
      ? []
      : [{ path, message: `is spelled almost like ${twin}: the model may mix them up` }]
  })
}
