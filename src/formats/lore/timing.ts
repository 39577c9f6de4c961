import { LIMITS } from '../../domain/limits.ts'
import { type How, isHowNumber, type Timing } from '../../domain/timing/timing.ts'
import { counted, cutTo, isBlank } from '../../lib/text.ts'
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
  ['sticky', 'stays', (messages) => 1 + Math.ceil(messages / MESSAGES), 'stays'],
  ['cooldown', 'rests', (messages) => Math.ceil(messages / MESSAGES), 'rests'],
  ['delay', 'begins', turnsBefore, 'begins after'],
  ['minMessages', 'begins', turnsBefore, 'begins after'],
]

/**
 * When an entry is included: `decorated` says, and the settings of SillyTavern, which reads those of a card's entry in
 * `extensions` alone. `recurses`: whether entries of its book trigger each other.
 */
export function parseLoreTiming(item: Fields, decorated: How, recurses: boolean): Timing | null {
  const holders = holdersOf(item)
  const source: Source = Object.assign({}, ...holders.map((holder) => holder.source))
  const note: Note = (bucket, key, text) => {
    for (const holder of holders) holder.note(bucket, key, text)
  }
  const how = {
    ...decorated,
    ...countedOf(source, note),
    ...chanceOf(source, note),
    ...groupOf(source, note),
    ...recursionOf(holders, recurses),
  }
  return Object.keys(how).length === 0 ? null : { when: [], how }
}

/** The settings of an entry, of which those in `extensions` win. */
type Source = Record<string, unknown>
type Note = Fields['note']

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
  const recurses = book.source.recursive_scanning === true
  book.note('taken', 'recursive_scanning', recurses ? 'Entries trigger each other.' : 'Not set.')
  return recurses
}

/** Whether its text triggers other entries, and theirs triggers it. */
function recursionOf(holders: readonly Fields[], recurses: boolean): How {
  const isSet = (name: keyof typeof RECURSION) =>
    holders.some(({ source }) => RECURSION[name].some((key) => Boolean(source[key])))
  for (const holder of holders)
    for (const key of Object.values(RECURSION).flat())
      holder.note('taken', key, recurses ? 'Which cards trigger each other.' : 'Not set.')
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

function countedOf(source: Source, note: Note): How {
  const numbers = COUNTED.flatMap(([key, name, turnsOf, words]) => {
    const messages = source[key]
    const turns = typeof messages === 'number' && messages > 0 ? turnsOf(messages) : 0
    if (!isHowNumber(name, turns)) {
      note('taken', key, 'Not set.')
      return []
    }
    note(
      'changed',
      key,
      `Counted in messages there: here it ${words} ${counted(turns, 'turn')}, with two messages for each.`,
    )
    return [[name, turns]]
  })
  return Object.fromEntries(numbers)
}

// RisuAI keeps it beside an entry, and in the extensions of a card's entry.
function chanceOf(source: Source, note: Note): How {
  const { activationPercent, risu_activationPercent = activationPercent } = source
  const { probability = risu_activationPercent, useProbability = true } = source
  const chance = typeof probability === 'number' ? Math.max(1, Math.round(probability)) : 100
  const isSure = useProbability === false || chance >= 100
  for (const key of ['probability', 'useProbability', 'activationPercent', 'risu_activationPercent'])
    note('taken', key, isSure ? 'Told each time it is triggered.' : `A chance of ${chance}%.`)
  return isSure ? {} : { chance }
}

/** With the names that Kobold and JanitorAI have for it. */
const GROUP = ['group', 'wigroup', 'inclusionGroupRaw']

function groupOf(source: Source, note: Note): How {
  const group = GROUP.map((key) => source[key]).find((name) => name !== undefined)
  const [name = ''] = typeof group === 'string' ? group.split(',') : []
  if (isBlank(name)) {
    for (const key of GROUP) note('taken', key, 'Not set.')
    return {}
  }
  for (const key of GROUP)
    note('changed', key, 'One of a group is included there by weight, here the last mentioned.')
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
