import { foldName } from '../../lib/fold-text.ts'
import { readNumber } from '../../lib/numbers.ts'
import { readYesNo } from '../../lib/text.ts'
import { pathFinder } from '../world/path-resolver.ts'
import type { Rules } from '../world/rules.ts'
import { statName } from './conditions.ts'
import {
  type Condition,
  type ConditionKind,
  HOW_NUMBERS,
  HOW_SWITCHES,
  HOW_TEXTS,
  type How,
  MAX_CONDITIONS,
  type Timing,
} from './timing.ts'

type Fields = Record<string, string | undefined>

/** Prefixes of the kinds of subjects in the form; stats have only their path. */
const PREFIXES: Partial<Record<ConditionKind, string>> = {
  flag: 'flags.',
  milestone: 'milestones.',
  card: 'card ',
  present: 'present ',
}

/** The prefixes that are not part of a path. */
const WORDS = ['card ', 'present ']

const TURN = 'turn'

/** The text to type, and its meaning. */
export function offeredSubjects(
  { stats, flags, milestones, npcs }: Rules,
  cards: readonly { name: string }[],
) {
  return [
    ...stats.map((stat): [string, string] => [stat.path, statName(stat, npcs)]),
    ...npcs.map(({ id, name }): [string, string] => [`present npc.${id}`, `${name} is present`]),
    ...[...flags, ...milestones].map(({ path, label }): [string, string] => [path, label]),
    [TURN, 'the number of the turn'] as [string, string],
    ...cards.flatMap(({ name }): [string, string][] =>
      name === '' ? [] : [[`card ${name}`, 'was included before']],
    ),
  ]
}

/**
 * A timing from the fields of its form, still to be validated. The name of one stat, flag, milestone or character stands
 * for its path. Invalid input stays as typed, so that an error can quote it.
 */
export function timingFromForm(fields: Fields, rules: Rules): unknown {
  const subjectMeant = subjectFinder(rules)
  const rows = Array.from({ length: MAX_CONDITIONS }, (_, i) => conditionFrom(fields, i, subjectMeant))
  const when = rows.filter((row) => row !== null)
  const numbers = Object.keys(HOW_NUMBERS).flatMap((name) => {
    const typed = fields[name]?.trim() ?? ''
    return typed === '' ? [] : [[name, readNumber(typed) ?? typed]]
  })
  const texts = [...HOW_TEXTS, 'triggered_by'].flatMap((name) => {
    const typed = fields[name]?.trim() ?? ''
    return typed === '' ? [] : [[name, typed]]
  })
  return {
    when,
    how: {
      ...Object.fromEntries(HOW_SWITCHES.flatMap((name) => (fields[name] === '1' ? [[name, true]] : []))),
      ...Object.fromEntries(numbers),
      ...Object.fromEntries(texts),
    },
  }
}

/** The rows with a subject whose value is not typed yet. */
export function unfinishedConditions(fields: Fields, rules: Rules): number[] {
  const subjectMeant = subjectFinder(rules)
  return Array.from({ length: MAX_CONDITIONS }, (_, row) => row).filter(
    (row) => conditionFrom(fields, row, subjectMeant)?.value === '',
  )
}

export function formOfTiming(timing: Timing | null): Fields {
  const rows = (timing?.when ?? []).flatMap((condition, i) => [
    [`what-${i}`, subjectOf(condition)],
    [`is-${i}`, condition.is],
    [`value-${i}`, typedValue(condition)],
  ])
  const how: How = timing?.how ?? {}
  const rules = Object.entries(how).map(([name, value]) => [name, value === true ? '1' : String(value)])
  return Object.fromEntries([...rows, ...rules])
}

function conditionFrom(
  fields: Fields,
  row: number,
  subjectMeant: (typed: string) => string,
): Record<string, unknown> | null {
  const what = subjectMeant(fields[`what-${row}`]?.trim() ?? '')
  if (what === '') return null
  const found = Object.entries(PREFIXES).find(([, prefix]) => what.startsWith(prefix))
  const kind = found?.[0] ?? (what === TURN ? 'turn' : 'stat')
  const named = WORDS.find((word) => what.startsWith(word)) ?? ''
  const of = kind === 'turn' ? '' : what.slice(named.length).trim()
  const typed = fields[`value-${row}`]?.trim() ?? ''
  const isYesNo = kind !== 'stat' && kind !== 'turn'
  const read = isYesNo ? readYesNo(typed || 'yes') : readNumber(typed)
  return { kind, of, is: isYesNo ? 'is' : (fields[`is-${row}`] ?? ''), value: read ?? typed }
}

function subjectFinder(rules: Rules): (typed: string) => string {
  const fullPath = pathFinder(rules)
  return (typed) => {
    if (typed === '' || typed === TURN || WORDS.some((word) => typed.startsWith(word))) return typed
    const path = fullPath(typed)
    const isNamed = (name: string) => foldName(name) === foldName(typed)
    const [offered, ...others] = offeredSubjects(rules, []).filter(([, label]) => isNamed(label))
    const npc = rules.npcs.find(({ name }) => isNamed(name))
    if (path !== typed || others.length > 0) return path
    return offered?.[0] ?? (npc ? `present npc.${npc.id}` : path)
  }
}

function subjectOf({ kind, of }: Condition): string {
  if (kind === 'turn') return TURN
  return kind === 'card' || kind === 'present' ? `${kind} ${of}` : of
}

function typedValue({ value }: Condition): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}
