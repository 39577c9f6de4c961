import { toPointerToken } from '../../lib/json.ts'
import { isObject, objectIn, ownValue } from '../../lib/objects.ts'
import type { FieldError } from '../errors.ts'
import { PathResolver, type StatTarget } from '../world/path-resolver.ts'
import { chosenText } from '../world/referee.ts'
import type { Rules } from '../world/rules.ts'
import { labelMeant, namedIn } from '../world/unknown-name.ts'
import { DICE, isDice } from './check.ts'

const MAX_CHECKS = 40
const MAX_ENTRIES = 20
const MAX_NAME = 60

type Report = (path: string, message: string) => void

/** Errors with their paths; [] if the checks are valid. */
export function checkErrors(schema: unknown, rules: Rules): FieldError[] {
  const errors: FieldError[] = []
  const report: Report = (path, message) => errors.push({ path, message })
  const checks = isObject(schema) ? (ownValue(schema, 'checks') ?? {}) : {}
  if (!isObject(checks)) return [{ path: '/checks', message: 'must be an object' }]
  const all = Object.entries(checks)
  if (all.length > MAX_CHECKS) report('/checks', `may have at most ${MAX_CHECKS} entries`)
  const paths = new PathResolver(rules, { hidden: true })
  for (const [name, check] of all.slice(0, MAX_CHECKS)) {
    const at = `/checks/${toPointerToken(name)}`
    if (!isName(name))
      report(at, name.trim() === '' ? 'needs a name' : `needs a name of up to ${MAX_NAME} characters`)
    if (isObject(check)) reportCheck(check, at, paths, report)
    else report(at, 'must be an object')
  }
  return errors
}

function reportCheck(check: Record<string, unknown>, at: string, paths: PathResolver, report: Report): void {
  if (!isDice(ownValue(check, 'dice'))) report(`${at}/dice`, `must be one of ${Object.keys(DICE).join(', ')}`)
  const stat = ownValue(check, 'stat') ?? ''
  if (stat !== '' && targetOf(stat, paths)?.kind !== 'number')
    report(
      `${at}/stat`,
      `must be the path of a number, such as player.strength${meantWords(String(stat), paths.rules.stats)}`,
    )
  reportDifficulties(ownValue(check, 'difficulties'), `${at}/difficulties`, report)
  reportOutcomes(ownValue(check, 'outcomes') ?? [], `${at}/outcomes`, paths, report)
  const picks = ownValue(check, 'player_picks_difficulty') ?? false
  if (typeof picks !== 'boolean') report(`${at}/player_picks_difficulty`, 'must be true or false')
  const reroll = ownValue(check, 'reroll') ?? {}
  reportEffects(reroll, `${at}/reroll`, paths, report)
  for (const [path, amount] of Object.entries(objectIn({ reroll }, 'reroll')))
    if (typeof amount !== 'number')
      report(`${at}/reroll/${path}`, 'must be an amount: only numbers can be a cost')
}

function reportDifficulties(list: unknown, at: string, report: Report): void {
  if (!isList(list) || list.length === 0) {
    report(at, `must be a list of 1 to ${MAX_ENTRIES} names with numbers, such as “hard 15”`)
    return
  }
  for (const [i, entry] of list.entries())
    if (!isObject(entry) || !isName(entry.name) || !isNumber(entry.number))
      report(`${at}/${i}`, 'must be a name and a number, such as “hard 15”')
  if (new Set(list.map((entry) => objectIn({ entry }, 'entry').name)).size < list.length)
    report(at, 'has the same name twice')
}

function reportOutcomes(list: unknown, at: string, paths: PathResolver, report: Report): void {
  if (!isList(list)) {
    report(at, `must be a list of at most ${MAX_ENTRIES} outcomes, such as “0 success”`)
    return
  }
  const bounds = list.map((entry) => objectIn({ entry }, 'entry').from ?? null)
  if (new Set(bounds).size < bounds.length) report(at, 'has two outcomes that begin at the same margin')
  if (bounds.length > 0 && !bounds.includes(null))
    report(at, 'needs one outcome without a number: what happens below all others')
  for (const [i, entry] of list.entries()) {
    const { name, from = null, effects = {} } = objectIn({ entry }, 'entry')
    if (!isName(name)) report(`${at}/${i}`, 'needs a name, such as “0 success”')
    if (from !== null && !isNumber(from)) report(`${at}/${i}/from`, 'must be a number')
    reportEffects(effects, `${at}/${i}/effects`, paths, report)
  }
}

function reportEffects(effects: unknown, at: string, paths: PathResolver, report: Report): void {
  if (!isObject(effects)) {
    report(at, 'must be changes by path, such as player.health -2')
    return
  }
  if (Object.keys(effects).length > MAX_ENTRIES) report(at, `may have at most ${MAX_ENTRIES} changes`)
  for (const [path, value] of Object.entries(effects)) {
    const target = targetOf(path, paths)
    const fault = target === null ? unknownFault(path, paths.rules) : faultOf(target, value)
    if (fault !== '') report(`${at}/${path}`, fault)
  }
}

type Target =
  | Exclude<StatTarget, { kind: 'stat' }>
  | { kind: 'number' | 'text'; stat: Extract<StatTarget, { kind: 'stat' }>['stat'] }

function targetOf(path: unknown, paths: PathResolver): Target | null {
  const found = paths.resolve(String(path))
  if ('reason' in found || found.corrected) return null
  if (found.target.kind !== 'stat') return found.target
  const { stat } = found.target
  return { kind: stat.kind === 'text' ? 'text' : 'number', stat }
}

function unknownFault(path: string, rules: Rules): string {
  return `is not a stat, flag or milestone of this scenario${meantWords(path, namedIn(rules))}`
}

function meantWords(written: string, known: Parameters<typeof labelMeant>[1]): string {
  const meant = labelMeant(written, known)
  return meant === null ? '' : ` (did you mean “${meant}”?)`
}

/** '' for a valid change. */
function faultOf(target: Target, value: unknown): string {
  switch (target.kind) {
    case 'flag':
      return typeof value === 'boolean' ? '' : 'must be yes or no'
    case 'milestone':
      return value === true ? '' : 'can only be reached'
    case 'number':
      if (!isNumber(value)) return 'must be an amount, such as -2'
      return target.stat.kind === 'counter' && value < 0 ? 'is a counter, which only goes up' : ''
    case 'text':
      return textFault(target.stat, value)
  }
}

function textFault(stat: Extract<Target, { kind: 'number' | 'text' }>['stat'], value: unknown): string {
  if (stat.kind !== 'text' || typeof value !== 'string') return 'must be words'
  return chosenText(stat, value) === null ? 'must be one of its allowed values' : ''
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length <= MAX_ENTRIES
}

/** Names appear in prompts and forms, one on a line. */
function isName(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= MAX_NAME &&
    !/[\p{Cc}[\]]/u.test(value)
  )
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= MAX_NUMBER
}

/** Beyond any dice and stats that make sense. */
const MAX_NUMBER = 1_000_000
