import { clamp } from '../../lib/numbers.ts'
import { setOwn } from '../../lib/objects.ts'
import type { NumberStat, Stat } from '../world/rules.ts'
import { holderOf, initialValue, sectionOf, type WorldState } from '../world/state.ts'
import { conditionFact } from './conditions.ts'
import { fewestTurns, type Reach, type Value } from './reachable.ts'
import type { Condition } from './timing.ts'

/** The conditions of a card about one stat, flag, milestone or character. */
export interface ConditionGroup {
  of: string
  /** The values for which all of the conditions hold, and the fewest turns to reach each. */
  holding: { value: Value; turns: number }[]
}

/** Groups conditions by subject, with the values for which they hold. Unknown subjects are left out. */
export function groupConditions(when: readonly Condition[], reach: Reach): ConditionGroup[] {
  const groups = Map.groupBy(when, ({ kind, of }) => `${kind} ${of}`)
  return [...groups.values()].flatMap((conditions) => {
    const [{ kind, of } = { kind: 'turn' as const, of: '' }] = conditions
    const values = valuesOf(kind, of, conditions, reach)
    if (values === null) return []
    const holding = values.filter(({ value }) => holdsWith(value, conditions, reach))
    return [{ of, holding }]
  })
}

/** Every value that makes a difference to some conditions; null for a subject that has none or does not exist. */
function valuesOf(
  kind: Condition['kind'],
  of: string,
  conditions: readonly Condition[],
  reach: Reach,
): ConditionGroup['holding'] | null {
  const { stats, flags, milestones, npcs } = reach.rules
  if (kind === 'stat') {
    const stat = stats.find(({ path }) => path === of)
    if (!stat) return null
    const values = stat.kind === 'text' ? textsOf(stat, conditions) : numbersOf(stat, conditions)
    return values.map((value) => ({ value, turns: fewestTurns(stat, value, reach) }))
  }
  const switched = (initial: boolean) => [
    { value: initial, turns: 0 },
    { value: !initial, turns: 1 },
  ]
  const flag = kind === 'flag' && flags.find(({ path }) => path === of)
  if (flag) return switched(flag.initial)
  if (kind === 'milestone' && milestones.some(({ path }) => path === of)) return switched(false)
  if (kind !== 'present' || !npcs.some(({ id }) => of === `npc.${id}`)) return null
  return [true, false].map((value) => ({ value, turns: 0 }))
}

/** The values at which something changes, and one value between each two of them. */
function numbersOf({ min, max, initial, bands }: NumberStat, conditions: readonly Condition[]): number[] {
  const named = conditions.flatMap(({ value }) => (typeof value === 'number' ? [value] : []))
  const edges = [
    clamp(initial, min, max),
    min,
    max,
    ...named,
    ...bands.flatMap(({ low, high }) => [low, high]),
  ]
  const sorted = [...new Set(edges.filter((edge) => edge !== null))].sort((one, other) => one - other)
  const between = sorted.flatMap((edge, i) => [(edge + (sorted[i + 1] ?? edge + 2)) / 2])
  const all = [(sorted[0] ?? 0) - 1, ...sorted, ...between]
  return all.filter((value) => value === clamp(value, min, max))
}

function textsOf(stat: Stat & { kind: 'text' }, conditions: readonly Condition[]): string[] {
  const named = conditions.map(({ value }) => String(value))
  return stat.options ?? [String(initialValue(stat)), ...named, `Not ${named.join()}`]
}

function holdsWith(value: Value, conditions: readonly Condition[], { rules }: Reach): boolean {
  return conditions.every((condition) => {
    const state = stateWith(condition, value, rules.stats)
    const present = new Set(value === true ? rules.npcs.map(({ id }) => id) : [])
    return conditionFact(condition, { turn: 1, rules, state, record: null, present, callers: null }).holds
  })
}

/** A state in which the subject of a condition has a value. */
function stateWith({ kind, of }: Condition, value: Value, stats: readonly Stat[]): WorldState {
  const state: WorldState = {}
  const stat = stats.find(({ path }) => path === of)
  const name = of.slice(of.indexOf('.') + 1)
  if (kind === 'stat' && stat) setOwn(holderOf(state, stat), stat.name, value)
  if (kind === 'flag') setOwn(sectionOf(state, 'flags'), name, value)
  if (kind === 'milestone') setOwn(sectionOf(state, 'milestones'), name, value)
  return state
}
