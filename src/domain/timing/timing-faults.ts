import { isObject, ownValue } from '../../lib/objects.ts'
import { lengthOf } from '../../lib/text.ts'
import { type FieldError, StoryError } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import {
  HOW_NUMBERS,
  HOW_SWITCHES,
  HOW_TEXTS,
  type HowNumber,
  isComparable,
  isHowNumber,
  isKind,
  isTriggeredBy,
  KINDS,
  MAX_CONDITIONS,
  type Timing,
  timingFrom,
} from './timing.ts'

type Entry = Record<string, unknown>

/** Requirements of a condition; the first that fails is named. */
const CONDITION_RULES: [isValid: (entry: Entry) => boolean, sentence: string][] = [
  [({ kind }) => isKind(kind), 'must be about a stat, flag, milestone, the turn, a card or who is present'],
  [
    ({ kind, of = '' }) =>
      typeof of === 'string' && lengthOf(of) <= LIMITS.name && (of !== '' || kind === 'turn'),
    'must name what it is about, in at most 200 characters',
  ],
  [
    ({ kind, is }) => isKind(kind) && KINDS[kind].some((known) => known === is),
    'cannot be compared in that way: “at least” and “at most” are for numbers, the others only have “is”',
  ],
  [({ value }) => value !== '', 'needs a value'],
  [
    ({ kind, value }) => kind !== 'turn' || (Number.isInteger(value) && (value as number) >= 0),
    'must be compared with the number of a turn',
  ],
  [
    ({ kind, value }) => kind === 'stat' || kind === 'turn' || typeof value === 'boolean',
    'must be compared with yes or no',
  ],
  [
    ({ value }) => typeof value !== 'string' || lengthOf(value) <= LIMITS.name,
    'must be compared with at most 200 characters',
  ],
  [isComparable, 'must be compared with a number, or with “is” and a word'],
  [
    (entry) => Object.keys(entry).every((key) => ['kind', 'of', 'is', 'value'].includes(key)),
    'has an unknown field: there are kind, of, is and value',
  ],
]

const HOW_NAMES = [...HOW_SWITCHES, ...Object.keys(HOW_NUMBERS), ...HOW_TEXTS, 'triggered_by']

/** Errors with their paths; [] for a valid timing. */
function timingFaults(timing: unknown): FieldError[] {
  if (timing === null) return []
  if (!isObject(timing)) return [fault('', 'must be an object with “when” and “how”, or null')]
  const { when = [], how = {}, ...unknown } = timing
  return [
    ...Object.keys(unknown).map((key) => fault(`/${key}`, 'is unknown: there are when and how')),
    ...whenFaults(when),
    ...(isObject(how) ? howFaults(how) : [fault('/how', 'must be an object')]),
  ]
}

/** Null for a timing that says nothing. Throws invalid, with all errors. */
export function checkedTiming(timing: unknown): Timing | null {
  const errors = timingFaults(timing)
  if (errors.length === 0) return timingFrom(timing)
  const sentences = errors.map(({ path, message }) => `${wordsOf(path)} ${message}`)
  throw new StoryError('invalid', `Please check when and how often: ${sentences.join('; ')}.`, { errors })
}

/** “/timing/when/0” is the first condition. */
function wordsOf(path: string): string {
  const [, , part = 'timing', at] = path.split('/')
  if (part === 'when' && at !== undefined) return `condition ${Number(at) + 1}`
  return at ?? part
}

function whenFaults(when: unknown): FieldError[] {
  if (!Array.isArray(when) || when.length > MAX_CONDITIONS)
    return [fault('/when', `must be a list of at most ${MAX_CONDITIONS} conditions`)]
  return when.flatMap((entry, i) => {
    if (!isObject(entry)) return [fault(`/when/${i}`, 'must be an object')]
    const broken = CONDITION_RULES.find(([isValid]) => !isValid(entry))
    return broken ? [fault(`/when/${i}`, broken[1])] : []
  })
}

function howFaults(how: Entry): FieldError[] {
  const { triggered_by } = how
  const names = Object.keys(HOW_NUMBERS) as HowNumber[]
  const unknown = Object.keys(how).filter((key) => !HOW_NAMES.includes(key))
  return [
    ...unknown.map((key) => fault(`/how/${key}`, `is unknown: there are ${HOW_NAMES.join(', ')}`)),
    ...HOW_SWITCHES.flatMap((name) =>
      typeof (how[name] ?? false) === 'boolean' ? [] : [fault(`/how/${name}`, 'must be true or false')],
    ),
    ...(triggered_by === undefined || isTriggeredBy(triggered_by)
      ? []
      : [fault('/how/triggered_by', 'must be “story” or “cards”')]),
    ...names.flatMap((name) => {
      const value = ownValue(how, name)
      const { from, to } = HOW_NUMBERS[name]
      const isValid = value === undefined || isHowNumber(name, value)
      return isValid ? [] : [fault(`/how/${name}`, `must be a whole number from ${from} to ${to}`)]
    }),
    ...HOW_TEXTS.flatMap((name) => {
      const { [name]: value = '' } = how
      const isName = typeof value === 'string' && lengthOf(value) <= LIMITS.name
      return isName ? [] : [fault(`/how/${name}`, 'must be a name of at most 200 characters')]
    }),
  ]
}

function fault(path: string, message: string): FieldError {
  return { path: `/timing${path}`, message }
}
