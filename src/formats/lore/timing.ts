import { LIMITS } from '../../domain/limits.ts'
import { type How, isHowNumber, type Timing } from '../../domain/timing/timing.ts'
import { cutTo, isBlank } from '../../lib/text.ts'
import type { Fields } from '../shared/fields.ts'

/** SillyTavern counts messages: two of them, the player's and the narrator's, make a turn. */
const MESSAGES = 2

type Counted = 'stays' | 'rests' | 'begins'

/** The turns that begin with a message, of which so many come before. */
export function turnsBefore(messages: number): number {
  return Math.ceil(messages / MESSAGES) - 1
}

/** What is counted there, and the turns that it makes here. */
const COUNTED: [key: string, name: Counted, turns: (messages: number) => number, words: string][] = [
  ['sticky', 'stays', (messages) => 1 + Math.ceil(messages / MESSAGES), 'Sticky'],
  ['cooldown', 'rests', (messages) => Math.ceil(messages / MESSAGES), 'Cooldown'],
  ['delay', 'begins', turnsBefore, 'Delay'],
  ['minMessages', 'begins', turnsBefore, 'Delay'],
]

/**
 * When an entry is included: `decorated` says, and the settings of SillyTavern, which reads those of a card's entry in
 * `extensions` alone. `recurses`: whether entries of its book trigger each other.
 */
export function parseLoreTiming(item: Fields, decorated: How, recurses: boolean): Timing | null {
  const holders = holdersOf(item)
  const source: Source = Object.assign({}, ...holders.map((holder) => holder.source))
  const how = {
    ...decorated,
    ...countedOf(source, holders),
    ...chanceOf(source, holders),
    ...groupOf(source, holders),
    ...recursionOf(holders, recurses),
  }
  return Object.keys(how).length === 0 ? null : { when: [], how }
}

/** The settings of an entry, of which those in `extensions` win. */
type Source = Record<string, unknown>

/** Settings of recursion, with their names in World Info and in the book of a card. */
const RECURSION = {
  excludeRecursion: ['excludeRecursion', 'exclude_recursion'],
  preventRecursion: ['preventRecursion', 'prevent_recursion'],
  delayUntilRecursion: ['delayUntilRecursion', 'delay_until_recursion'],
} as const

const holdersOf = (item: Fields) => [item, item.child('extensions')].filter((holder) => holder !== null)

/** Whether an entry says how it takes part in recursion, which it need not say where there is none. */
export function saysRecursion(item: Fields): boolean {
  const keys = Object.values(RECURSION).flat()
  return holdersOf(item).some(({ source }) => keys.some((key) => Boolean(source[key])))
}

/** Whether the entries of a book trigger each other. SillyTavern's World Info leaves that to a setting outside the file. */
export function isRecursive(book: Fields): boolean {
  book.came('Entries trigger each other', 'recursive_scanning')
  return book.source.recursive_scanning === true
}

/** Whether its text triggers other entries, and theirs triggers it. */
function recursionOf(holders: readonly Fields[], recurses: boolean): How {
  const isSet = (name: keyof typeof RECURSION) =>
    holders.some(({ source }) => RECURSION[name].some((key) => Boolean(source[key])))
  for (const holder of holders)
    holder.came('Which cards trigger each other', ...Object.values(RECURSION).flat())
  if (!recurses) return {}
  return {
    ...(isSet('preventRecursion') ? {} : { triggers_others: true }),
    ...(isSet('delayUntilRecursion')
      ? { triggered_by: 'cards' }
      : isSet('excludeRecursion')
        ? { triggered_by: 'story' }
        : {}),
  }
}

function countedOf(source: Source, holders: readonly Fields[]): How {
  const numbers = COUNTED.flatMap(([key, name, turnsOf, words]) => {
    const messages = source[key]
    const turns = typeof messages === 'number' && messages > 0 ? turnsOf(messages) : 0
    if (!isHowNumber(name, turns)) return []
    for (const holder of holders) holder.changed(`${words}, counted in turns instead of messages`, key)
    return [[name, turns]]
  })
  return Object.fromEntries(numbers)
}

// RisuAI keeps it beside an entry, and in the extensions of a card's entry.
function chanceOf(source: Source, holders: readonly Fields[]): How {
  const { activationPercent, risu_activationPercent = activationPercent } = source
  const { probability = risu_activationPercent, useProbability = true } = source
  const chance = typeof probability === 'number' ? Math.max(1, Math.round(probability)) : 100
  const isSure = useProbability === false || chance >= 100
  for (const holder of holders) holder.came('Chance of being included', ...CHANCE)
  return isSure ? {} : { chance }
}

const CHANCE = ['probability', 'useProbability', 'activationPercent', 'risu_activationPercent']

/** With the names that Kobold and JanitorAI have for it. */
const GROUP = ['group', 'wigroup', 'inclusionGroupRaw']

function groupOf(source: Source, holders: readonly Fields[]): How {
  const group = GROUP.map((key) => source[key]).find((name) => name !== undefined)
  const [name = ''] = typeof group === 'string' ? group.split(',') : []
  if (isBlank(name)) return {}
  for (const holder of holders) holder.changed('Group: the last one mentioned wins', ...GROUP)
  return { group: cutTo(name.trim(), LIMITS.name) }
}

/** Whether cards trigger each other. */
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

/** How an entry takes part in recursion: in a book of World Info, or in the book of a card, which spells it otherwise. */
export function loreRecursion(timing: Timing | null | undefined, book: 'world info' | 'card') {
  const { triggers_others, triggered_by } = timing?.how ?? {}
  const nameOf = (setting: keyof typeof RECURSION) => RECURSION[setting][book === 'card' ? 1 : 0]
  return {
    [nameOf('preventRecursion')]: triggers_others !== true,
    [nameOf('excludeRecursion')]: triggered_by === 'story',
    [nameOf('delayUntilRecursion')]: triggered_by === 'cards',
  }
}
