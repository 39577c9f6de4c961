import { foldName } from '../../lib/fold-text.ts'
import { pathWords } from './change-words.ts'
import type { Rules } from './rules.ts'

interface Named {
  path: string
  label: string
}

export function namedIn({ stats, flags, milestones }: Rules): Named[] {
  return [...stats, ...flags, ...milestones]
}

/** The nearest name; null if none is near. */
export function labelMeant(written: string, known: readonly Named[]): string | null {
  const name = foldName(pathWords(written))
  let nearest: string | null = null
  let least = Math.min(MAX_WRONG, Math.floor(name.length / 3))
  for (const { path, label } of known) {
    const distance = Math.min(...[pathWords(path), label].map((one) => distanceOf(foldName(one), name)))
    if (distance > least || (distance === least && nearest !== null && nearest !== label)) continue
    nearest = label
    least = distance
  }
  return nearest
}

/** The most letters of a misspelt name that may be wrong, missing or surplus. */
const MAX_WRONG = 2

/** Levenshtein distance. */
function distanceOf(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_WRONG) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 0; i < one.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < other.length; j++) {
      const replaced = (row[j] ?? 0) + (one[i] === other[j] ? 0 : 1)
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, replaced))
    }
    if (Math.min(...next) > MAX_WRONG) return Number.POSITIVE_INFINITY
    row = next
  }
  return row.at(-1) ?? 0
}
