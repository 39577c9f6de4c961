import { valuesOf } from './audit.ts'
import type { WorldState } from './state.ts'

/** A value that two states do not share; undefined where one of them does not have it. */
export interface Difference {
  path: string
  one: unknown
  other: unknown
}

/** In what two states of one world differ, by path; nothing where either is not known. */
export function differencesOf(one: WorldState | null, other: WorldState | null): Difference[] {
  if (one === null || other === null) return []
  const [ones, others] = [valuesOf(one), valuesOf(other)]
  const paths = [...new Set([...ones.keys(), ...others.keys()])]
  return paths
    .map((path) => ({ path, one: ones.get(path), other: others.get(path) }))
    .filter((difference) => difference.one !== difference.other)
}
