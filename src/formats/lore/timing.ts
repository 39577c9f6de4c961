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
  ['sticky', 'stays', (messages) => 1 + Math.ceil(messages / MESSAGES), 'stays'],
  ['cooldown', 'rests', (messages) => Math.ceil(messages / MESSAGES), 'rests'],
  ['delay', 'begins', turnsBefore, 'begins after'],
  ['minMessages', 'begins', turnsBefore, 'begins after'],
]

/**
 * When an entry is told: `decorated` says, and the settings of SillyTavern, which keeps those of a card's entry in
 * `extensions`.
 */
export function parseLoreTiming(item: Fields, decorated: How): Timing | null {
  const holders = [item, item.child('extensions')].filter((holder) => holder !== null)
  const how: How = Object.assign({}, decorated, ...holders.map(howOf))
  return Object.keys(how).length === 0 ? null : { when: [], how }
}

function howOf(holder: Fields): How {
  const counted = COUNTED.flatMap(([key, name, turnsOf, words]) => {
    const messages = holder.source[key]
    const turns = typeof messages === 'number' && messages > 0 ? turnsOf(messages) : 0
    if (!isHowNumber(name, turns)) {
      holder.note('taken', key, 'Not set.')
      return []
    }
    holder.note(
      'changed',
      key,
      `Counted in messages there: here it ${words} ${turns} turns, with two messages for each.`,
    )
    return [[name, turns]]
  })
  return { ...Object.fromEntries(counted), ...chanceOf(holder), ...groupOf(holder) }
}

function chanceOf(holder: Fields): How {
  const { probability = chanceOfRisu(holder.source), useProbability = true } = holder.source
  const chance = typeof probability === 'number' ? Math.max(1, Math.round(probability)) : 100
  const isSure = useProbability === false || chance >= 100
  for (const key of ['probability', 'useProbability', 'activationPercent', 'risu_activationPercent'])
    holder.note('taken', key, isSure ? 'Told each time it is triggered.' : `A chance of ${chance} %.`)
  return isSure ? {} : { chance }
}

// RisuAI keeps it beside an entry, and in the extensions of a card's entry.
function chanceOfRisu({ activationPercent, risu_activationPercent }: Record<string, unknown>): unknown {
  return activationPercent ?? risu_activationPercent
}

/** With the names that Kobold and JanitorAI have for it. */
const GROUP = ['group', 'wigroup', 'inclusionGroupRaw']

function groupOf(holder: Fields): How {
  const group = GROUP.map((key) => holder.source[key]).find((name) => name !== undefined)
  const [name = ''] = typeof group === 'string' ? group.split(',') : []
  if (isBlank(name)) {
    for (const key of GROUP) holder.note('taken', key, 'Not set.')
    return {}
  }
  for (const key of GROUP)
    holder.note('changed', key, 'One of a group is told there by weight, here the last mentioned.')
  return { group: cutTo(name.trim(), LIMITS.name) }
}

/** The same settings for an entry of World Info. What has no equal there is left out. */
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
