import { isObject, objectIn } from '../../lib/objects.ts'
import type { WorldState } from './state.ts'

export interface Difference {
  path: string
  one: unknown
  other: unknown
}

/** None if either state is unknown. */
export function differencesOf(one: WorldState | null, other: WorldState | null): Difference[] {
  if (one === null || other === null) return []
  const [ones, others] = [valuesByPath(one), valuesByPath(other)]
  const paths = [...new Set([...ones.keys(), ...others.keys()])]
  return paths
    .map((path) => ({ path, one: ones.get(path), other: others.get(path) }))
    .filter((difference) => difference.one !== difference.other)
}

/** All values of a state by path. A reached milestone is true; one that is not reached is absent. */
export function valuesByPath(state: WorldState): Map<string, unknown> {
  const values = new Map<string, unknown>()
  const add = (prefix: string, holder: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(holder)) values.set(`${prefix}.${name}`, value)
  }
  add('world', objectIn(state, 'world'))
  add('player', objectIn(state, 'player'))
  add('flags', objectIn(state, 'flags'))
  for (const [id, stats] of Object.entries(objectIn(state, 'npc')))
    add(`npc.${id}`, isObject(stats) ? stats : {})
  for (const [id, entry] of Object.entries(objectIn(state, 'milestones')))
    if (entry === true || (isObject(entry) && entry.reached === true)) values.set(`milestones.${id}`, true)
  return values
}
