import type { TreeBranch } from '../../domain/family/story-tree.ts'
import { isCount } from '../../lib/numbers.ts'
import { isObject } from '../../lib/objects.ts'
import { importRefused } from '../shared/import-refused.ts'

/** A branch of a story, identified by its position in the list. */
export interface Branch extends TreeBranch {
  name: string
}

const MAX_NAME_LENGTH = 80
const MAX_BRANCHES = 1_000

/** The branches of a file; a file without any has one. Throws import_refused for an impossible tree. */
export function branchesFrom(value: unknown): Branch[] {
  if (!Array.isArray(value) || value.length === 0) return [{ parent: null, fork: null, name: '' }]
  if (value.length > MAX_BRANCHES) throw importRefused(`This story has more than ${MAX_BRANCHES} branches.`)
  return value.map(branchFrom)
}

function branchFrom(value: unknown, at: number): Branch {
  const { parent = null, forkDepth = null, name: written = '' } = isObject(value) ? value : {}
  const name = typeof written === 'string' ? written.trim() : written === null ? '' : undefined
  if (name === undefined || [...name].length > MAX_NAME_LENGTH)
    throw importRefused(
      `Branch ${at + 1} of this story has a name that is not text, or is longer than ${MAX_NAME_LENGTH} characters.`,
    )
  if (parent === null) return { parent: null, fork: null, name }
  if (!isCount(parent) || parent >= at)
    throw importRefused(`Branch ${at + 1} of this story starts from a branch that does not come before it.`)
  if (!isCount(forkDepth)) throw importRefused(`Branch ${at + 1} of this story does not say where it begins.`)
  return { parent, fork: forkDepth, name }
}
