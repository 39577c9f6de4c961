import { type Static, Type } from '@sinclair/typebox'
import { isObject, ownValue } from '../../lib/objects.ts'
import { isBlank, Text } from '../../lib/text.ts'
import { oneOf } from '../../lib/typebox.ts'
import { LIMITS } from '../limits.ts'

export const COMPARISONS = ['at least', 'at most', 'is', 'is not'] as const

export type Comparison = (typeof COMPARISONS)[number]

/** Subjects of a condition, and how each may be compared. */
export const KINDS = {
  stat: COMPARISONS,
  flag: ['is'],
  milestone: ['is'],
  turn: ['at least', 'at most', 'is'],
  card: ['is'],
  present: ['is'],
} as const satisfies Record<string, readonly Comparison[]>

export type ConditionKind = keyof typeof KINDS

const CONDITION_KINDS = Object.keys(KINDS) as ConditionKind[]

export const Condition = Type.Object({
  kind: oneOf(CONDITION_KINDS),
  of: Type.String({
    description:
      'The path of the stat, flag, milestone or character, or the name of the card; "" for the turn',
  }),
  is: oneOf(COMPARISONS),
  value: Type.Union([Type.Number(), Type.String(), Type.Boolean()], {
    description:
      'A number, a text, the label of a band; true or false for a flag, a reached milestone, a card included before, a character who is present',
  }),
})

export type Condition = Static<typeof Condition>

/** The greatest number of each rule, and the smallest. */
export const HOW_NUMBERS = {
  chance: { from: 1, to: 100 },
  stays: { from: 1, to: 1_000 },
  rests: { from: 1, to: 1_000 },
  begins: { from: 1, to: 100_000 },
  priority: { from: -100, to: 100 },
} as const

export type HowNumber = keyof typeof HOW_NUMBERS

export const HOW_SWITCHES = ['once', 'triggers_others'] as const

export const HOW_TEXTS = ['group', 'check', 'difficulty'] as const

const whole = (name: HowNumber, description: string) =>
  Type.Optional(Type.Integer({ minimum: HOW_NUMBERS[name].from, maximum: HOW_NUMBERS[name].to, description }))

/** Source of the text that triggers a card, where it is not either. */
const TRIGGERED_BY = ['story', 'cards'] as const

const How = Type.Object({
  once: Type.Optional(Type.Boolean({ description: 'Told at most once in a story' })),
  chance: whole('chance', 'Told with this chance in percent'),
  stays: whole('stays', 'Once included, it stays due for so many turns'),
  rests: whole('rests', 'After that it is not included for so many turns'),
  begins: whole('begins', 'Told only after so many turns of the story'),
  priority: whole('priority', 'Higher ones come first; 0 if absent'),
  group: Type.Optional(
    Text(LIMITS.name, { description: 'Of the cards of a group, one is included in a turn' }),
  ),
  triggers_others: Type.Optional(
    Type.Boolean({ description: 'When it is due, its text triggers other cards' }),
  ),
  triggered_by: Type.Optional(oneOf(TRIGGERED_BY)),
  check: Type.Optional(
    Text(LIMITS.name, {
      description: 'The check that is thrown for the line of the player whose turn tells it',
    }),
  ),
  difficulty: Type.Optional(
    Text(LIMITS.name, { description: 'The difficulty of that check; its first if absent' }),
  ),
})

export type How = Static<typeof How>

export const Timing = Type.Object({
  when: Type.Array(Condition, { description: 'All of them must hold' }),
  how: How,
})

export type Timing = Static<typeof Timing>

export const MAX_CONDITIONS = 12

/** Leaves out what is not valid. Null if nothing is left. */
export function timingFrom(value: unknown): Timing | null {
  if (!isObject(value)) return null
  const { when, how } = value
  const timing = {
    when: (Array.isArray(when) ? when : []).flatMap(conditionFrom).slice(0, MAX_CONDITIONS),
    how: howFrom(isObject(how) ? how : {}),
  }
  return timing.when.length === 0 && Object.keys(timing.how).length === 0 ? null : timing
}

export function isKind(kind: unknown): kind is ConditionKind {
  return CONDITION_KINDS.some((known) => known === kind)
}

export function isTriggeredBy(value: unknown): value is (typeof TRIGGERED_BY)[number] {
  return TRIGGERED_BY.some((one) => one === value)
}

export function isHowNumber(name: HowNumber, value: unknown): value is number {
  const { from, to } = HOW_NUMBERS[name]
  return Number.isInteger(value) && (value as number) >= from && (value as number) <= to
}

export function isComparable({ kind, is, value }: Record<string, unknown>): boolean {
  if (!isKind(kind) || !KINDS[kind].some((known) => known === is)) return false
  if (kind === 'turn') return Number.isInteger(value) && (value as number) >= 0
  if (kind !== 'stat') return typeof value === 'boolean'
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'string' && !isBlank(value) && (is === 'is' || is === 'is not')
}

function conditionFrom(entry: unknown): Condition[] {
  if (!isObject(entry) || !isComparable(entry)) return []
  const { kind, of = '', is, value } = entry
  return typeof of === 'string' ? [{ kind, of, is, value } as Condition] : []
}

function howFrom(how: Record<string, unknown>): How {
  const numbers = (Object.keys(HOW_NUMBERS) as HowNumber[]).flatMap((name) => {
    const value = ownValue(how, name)
    const isPlain = name === 'priority' ? value === 0 : name === 'chance' && value === 100
    return isHowNumber(name, value) && !isPlain ? [[name, value]] : []
  })
  const texts = HOW_TEXTS.flatMap((name) => {
    const value = ownValue(how, name)
    return typeof value === 'string' && !isBlank(value) ? [[name, value.trim().slice(0, LIMITS.name)]] : []
  })
  return {
    ...Object.fromEntries(
      HOW_SWITCHES.flatMap((name) => (ownValue(how, name) === true ? [[name, true]] : [])),
    ),
    ...Object.fromEntries(numbers),
    ...Object.fromEntries(texts),
    ...(isTriggeredBy(how.triggered_by) ? { triggered_by: how.triggered_by } : {}),
  }
}
