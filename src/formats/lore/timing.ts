import { LIMITS } from '../../domain/limits.ts'
import { HOW_NUMBERS, type How, type Timing, timingFrom } from '../../domain/timing/timing.ts'
import { readNumber } from '../../lib/numbers.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import type { Fields } from '../shared/fields.ts'
import type { LoreSettings } from './settings.ts'
import type { Writer } from './writers.ts'

/** SillyTavern counts messages: two of them, the player's and the narrator's, make a turn. */
const MESSAGES = 2

type Counted = 'stays' | 'rests' | 'begins'

/** The turns that begin with a message, of which so many come before. */
export function turnsBefore(messages: number): number {
  return Math.ceil(messages / MESSAGES) - 1
}

/** The settings that SillyTavern counts in messages, and the turns that they make here. */
const COUNTED: [key: string, name: Counted, turns: (messages: number) => number, words: string][] = [
  ['sticky', 'stays', (messages) => 1 + Math.ceil(messages / MESSAGES), 'Sticky'],
  ['cooldown', 'rests', (messages) => Math.ceil(messages / MESSAGES), 'Cooldown'],
  ['delay', 'begins', turnsBefore, 'Delay'],
  ['minMessages', 'begins', turnsBefore, 'Delay'],
]

interface LoreTiming {
  timing: Timing | null
  /** Its settings leave no moment at which it is included. */
  isNever: boolean
}

/** The timing of an entry, by its settings. `recurses`: entries of its book trigger each other. */
export function parseLoreTiming(
  settings: LoreSettings,
  { writer, decorated, recurses }: { writer: Writer; decorated: How; recurses: boolean },
): LoreTiming {
  const chance = chanceOf(settings, writer)
  const how = {
    ...decorated,
    ...countedOf(settings),
    ...(chance > 0 && chance < 100 ? { chance } : {}),
    ...groupOf(settings, writer),
    ...recursionOf(settings, recurses),
  }
  const { excludeRecursion, delayUntilRecursion } = settings.of
  return {
    timing: timingFrom({ when: [], how }),
    isNever: chance === 0 || (recurses && Boolean(excludeRecursion) && Boolean(delayUntilRecursion)),
  }
}

/** Settings of recursion, with their names in World Info and in the book of a card. */
const RECURSION = {
  excludeRecursion: ['excludeRecursion', 'exclude_recursion'],
  preventRecursion: ['preventRecursion', 'prevent_recursion'],
  delayUntilRecursion: ['delayUntilRecursion', 'delay_until_recursion'],
} as const

/**
 * Tells if the entries of a book trigger each other: as it says, as its program does, or because one of them says how it takes
 * part. SillyTavern keeps that in a setting outside the file.
 */
export function isRecursive(
  book: Fields | null,
  entries: readonly LoreSettings[],
  { recurses }: Writer,
): boolean {
  book?.came('Entries trigger each other', 'recursive_scanning')
  const said = book?.source.recursive_scanning
  const takePart = entries.some(({ of }) => Object.keys(RECURSION).some((key) => Boolean(of[key])))
  return takePart || (typeof said === 'boolean' ? said : recurses)
}

/** Tells if its text triggers other entries, and theirs triggers it. */
function recursionOf({ of, holders }: LoreSettings, recurses: boolean): How {
  for (const holder of holders)
    holder.came('Which cards trigger each other', ...Object.values(RECURSION).flat())
  if (!recurses) return {}
  return {
    ...(of.preventRecursion ? {} : { triggers_others: true }),
    ...(of.delayUntilRecursion
      ? { triggered_by: 'cards' }
      : of.excludeRecursion
        ? { triggered_by: 'story' }
        : {}),
  }
}

function countedOf({ of, holders }: LoreSettings): How {
  const numbers = COUNTED.flatMap(([key, name, turnsOf, words]) => {
    const messages = readNumber(of[key]) ?? 0
    const turns = messages > 0 ? turnsOf(messages) : 0
    const most = HOW_NUMBERS[name].to
    for (const holder of holders)
      if (turns < 1) holder.came(words, key)
      else if (turns <= most) holder.changed(`${words}, counted in turns instead of messages`, key)
      else holder.changed(`${words}: ${most} turns, the most there are`, key)
    return turns < 1 ? [] : [[name, Math.min(turns, most)]]
  })
  return Object.fromEntries(numbers)
}

// RisuAI keeps it beside an entry, and in the extensions of a card's entry.
const CHANCE = ['probability', 'useProbability', 'activationPercent', 'risu_activationPercent']

/** The chance of an entry in percent. */
function chanceOf({ of, holders }: LoreSettings, { rolls, zero }: Writer): number {
  const { useProbability = rolls, activationPercent, probability = activationPercent } = of
  const said = readNumber(probability)
  const isSure = !useProbability || said === null || said >= 100 || (said <= 0 && zero === 'always')
  const chance = isSure ? 100 : said <= 0 ? 0 : Math.max(1, Math.round(said))
  for (const holder of holders) {
    holder.came('Chance of being included', ...CHANCE)
    if (chance === 0) holder.changed('A chance of 0: imported switched off', ...CHANCE)
    else if (!isSure && chance !== said)
      holder.changed(`Chance of being included: ${chance} percent instead of ${said}`, ...CHANCE)
  }
  return chance
}

function groupOf({ of, holders }: LoreSettings, { group: names }: Writer): How {
  const group = names.map((key) => of[key]).find((name) => name !== undefined)
  const labels = typeof group === 'string' ? group.split(',').filter((label) => !isBlank(label)) : []
  const [name] = labels
  if (name === undefined) return {}
  const others = labels.length > 1 ? '; of several groups only the first counts' : ''
  for (const holder of holders) holder.changed(`Group: the last one mentioned wins${others}`, ...names)
  return { group: cutTo(name.trim(), LIMITS.name) }
}

/** Tells if cards trigger each other. */
export function recursAmong(cards: readonly { timing?: Timing | null }[]): boolean {
  return cards.some(({ timing }) => timing?.how.triggers_others || timing?.how.triggered_by)
}

/** The same settings for an entry of World Info, without recursion. What has no equal there is left out. */
export function loreTiming(timing: Timing | null | undefined) {
  const { stays, rests, begins, chance, group } = timing?.how ?? {}
  return {
    ...(stays !== undefined && stays > 1 ? { sticky: (stays - 1) * MESSAGES } : {}),
    ...(rests === undefined ? {} : { cooldown: rests * MESSAGES }),
    ...(begins === undefined ? {} : { delay: (begins + 1) * MESSAGES }),
    probability: chance ?? 100,
    useProbability: true,
    ...(group === undefined ? {} : { group }),
  }
}

/** The part of an entry in recursion: in a book of World Info, or in the book of a card, which spells it otherwise. */
export function loreRecursion(timing: Timing | null | undefined, book: 'world info' | 'card') {
  const { triggers_others, triggered_by } = timing?.how ?? {}
  const nameOf = (setting: keyof typeof RECURSION) => RECURSION[setting][book === 'card' ? 1 : 0]
  return {
    [nameOf('preventRecursion')]: triggers_others !== true,
    [nameOf('excludeRecursion')]: triggered_by === 'story',
    [nameOf('delayUntilRecursion')]: triggered_by === 'cards',
  }
}
