import { readNumber } from '../../lib/numbers.ts'
import { isObject, setOwn } from '../../lib/objects.ts'
import { readYesNo } from '../../lib/text.ts'
import { pathFinder } from '../world/path-resolver.ts'
import { readRules } from '../world/rules.ts'

type FieldOf = (field: string) => string | undefined

/**
 * A check from the fields of its form. `definition` is the check before, of which keys that the form does not show are
 * kept. Invalid input stays as typed, so that nothing is lost.
 */
export function checkFrom(fieldOf: FieldOf, definition: Record<string, unknown>): Record<string, unknown> {
  const [dice, stat, reroll] = [fieldOf('dice'), fieldOf('stat'), fieldOf('reroll')]
  if (dice === undefined) return definition
  return {
    ...definition,
    dice,
    stat: stat || undefined,
    difficulties: linesOf(fieldOf('difficulties')).map(difficultyFrom),
    player_picks_difficulty: fieldOf('picks') === '1' ? true : undefined,
    outcomes: linesOf(fieldOf('outcomes')).map(outcomeFrom),
    reroll: priceFrom(reroll?.trim() ?? ''),
  }
}

/** Full paths instead of names. `renamed` has the new paths of renamed entries. */
export function withFullPaths(
  checks: Record<string, unknown>,
  schema: object,
  renamed: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const find = pathFinder(readRules(schema))
  const fullPath = (path: string) => renamed.get(path) ?? find(path)
  return Object.fromEntries(
    Object.entries(checks).map(([name, check]) => [
      name,
      isObject(check) ? fullPathsIn(check, fullPath) : check,
    ]),
  )
}

function fullPathsIn(
  check: Record<string, unknown>,
  fullPath: (path: string) => string,
): Record<string, unknown> {
  const full = (effects: unknown) =>
    isObject(effects)
      ? Object.fromEntries(Object.entries(effects).map(([path, value]) => [fullPath(path), value]))
      : effects
  const { stat, outcomes, reroll } = check
  return {
    ...check,
    stat: typeof stat === 'string' ? fullPath(stat) : stat,
    outcomes: Array.isArray(outcomes)
      ? outcomes.map((one) => (isObject(one) ? { ...one, effects: full(one.effects) } : one))
      : outcomes,
    reroll: full(reroll),
  }
}

export const NEW_CHECK = {
  dice: '1d20',
  difficulties: [
    { name: 'easy', number: 8 },
    { name: 'hard', number: 15 },
  ],
  player_picks_difficulty: true,
  outcomes: [
    { name: 'failure' },
    { name: 'failure with a price', from: -4 },
    { name: 'success', from: 0 },
    { name: 'great success', from: 6 },
  ],
}

/** "hard 15", "hard: 15" or "15 hard". */
function difficultyFrom(line: string): unknown {
  const words = line.replace(/[:=]/g, ' ').trim().split(/\s+/)
  for (const at of [words.length - 1, 0]) {
    const number = readNumber(words[at])
    const name = words.toSpliced(at, 1).join(' ')
    if (number !== null && name !== '') return { name, number }
  }
  return line
}

/** "-3 failure with a price: player.health -2; flags.alarm yes". Without a number it is the lowest. */
function outcomeFrom(line: string): unknown {
  const colon = line.indexOf(':')
  const head = (colon === -1 ? line : line.slice(0, colon)).trim().split(/\s+/)
  const from = readNumber(head[0])
  const name = (from === null ? head : head.slice(1)).join(' ')
  const effects = colon === -1 ? {} : effectsFrom(line.slice(colon + 1))
  return {
    name,
    ...(from === null ? {} : { from }),
    ...(Object.keys(effects).length === 0 ? {} : { effects }),
  }
}

/** "player.health -2; flags.alarm yes; world.weather = calm; milestones.escaped". */
function effectsFrom(text: string): Record<string, unknown> {
  const effects: Record<string, unknown> = {}
  for (const part of text.split(';').filter((one) => one.trim() !== '')) {
    const [path, value] = effectFrom(part.trim())
    setOwn(effects, path, value)
  }
  return effects
}

function effectFrom(part: string): [path: string, value: unknown] {
  const equals = part.indexOf('=')
  if (equals !== -1) return [part.slice(0, equals).trim(), valueFrom(part.slice(equals + 1).trim())]
  const space = part.lastIndexOf(' ')
  const last = valueFrom(part.slice(space + 1))
  return space === -1 || typeof last === 'string' ? [part, true] : [part.slice(0, space).trim(), last]
}

function valueFrom(text: string): string | number | boolean {
  return readYesNo(text) ?? readNumber(text) ?? text
}

function priceFrom(text: string): unknown {
  if (text === '') return undefined
  return text.toLowerCase() === 'free' ? {} : effectsFrom(text)
}

export function outcomeLines(outcomes: unknown): string {
  if (!Array.isArray(outcomes)) return ''
  return outcomes.map((one) => (isObject(one) ? outcomeLine(one) : String(one))).join('\n')
}

function outcomeLine({ from, name, effects }: Record<string, unknown>): string {
  const head = `${from ?? ''} ${name ?? ''}`.trim()
  return isObject(effects) && Object.keys(effects).length > 0 ? `${head}: ${effectsText(effects)}` : head
}

export function effectsText(effects: Record<string, unknown>): string {
  return Object.entries(effects)
    .map(([path, value]) => {
      if (typeof value === 'number') return `${path} ${value > 0 ? '+' : ''}${value}`
      if (path.startsWith('milestones.') && value === true) return path
      return typeof value === 'boolean' ? `${path} ${value ? 'yes' : 'no'}` : `${path} = ${String(value)}`
    })
    .join('; ')
}

function linesOf(text = ''): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
