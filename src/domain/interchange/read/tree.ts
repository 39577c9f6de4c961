import { isObject } from '../../../lib/objects.ts'
import { refused } from '../../../formats/shared/import-refused.ts'

/** A branch of a story that was told in several ways: where it leaves its parent. Its number is its place in the list. */
export interface Branch {
  parent: number | null
  /** The last depth that it shares with its parent; null for a root. */
  fork: number | null
  name: string
}

const LONGEST_NAME = 80
const MOST_BRANCHES = 1_000

/** The branches of a file; a file without any has one. Throws import_refused for a tree that cannot be. */
export function branchesFrom(value: unknown): Branch[] {
  if (!Array.isArray(value) || value.length === 0) return [{ parent: null, fork: null, name: '' }]
  if (value.length > MOST_BRANCHES) throw refused(`This story has more than ${MOST_BRANCHES} branches.`)
  return value.map(branchFrom)
}

function branchFrom(value: unknown, at: number): Branch {
  const { parent = null, forkDepth = null, name = '' } = isObject(value) ? value : {}
  const shown = typeof name === 'string' ? name.trim() : name === null ? '' : undefined
  if (shown === undefined || [...shown].length > LONGEST_NAME)
    throw refused(
      `Branch ${at + 1} of this story has a name that is no text of at most ${LONGEST_NAME} characters.`,
    )
  if (parent === null) return { parent: null, fork: null, name: shown }
  if (!isWhole(parent) || parent >= at)
    throw refused(`Branch ${at + 1} of this story grows from a branch that does not come before it.`)
  if (!isWhole(forkDepth)) throw refused(`Branch ${at + 1} of this story does not say where it begins.`)
  return { parent, fork: forkDepth, name: shown }
}

/** Whether a value is a whole number of 0 or more. */
export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** A stretch of one branch: its depths up to `last`. */
export interface Stretch {
  branch: number
  last: number
}

/** The stretches that make up the story as it stands on a branch, from the root on. */
export function lineageOf(branches: readonly Branch[], head: number): Stretch[] {
  const stretches: Stretch[] = []
  let last = Infinity
  for (let at: number | null = head; at !== null; ) {
    const branch: Branch | undefined = branches[at]
    stretches.unshift({ branch: at, last })
    last = Math.min(last, branch?.fork ?? Infinity)
    at = branch?.parent ?? null
  }
  return stretches
}
