import type { Reader } from '../../db/database.ts'
import { listBranches } from '../../db/stories/branches.ts'
import { listFrom } from '../../db/tables/actions/list.ts'
import { getAdventure, getWorld } from '../../db/tables/adventures.ts'
import type { Action } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import type { StoryBranch } from '../../domain/family/branch.ts'
import { lastShared } from '../../domain/family/branch-map.ts'
import { type Difference, differencesOf } from '../../domain/world/state-diff.ts'

/** Actions of each branch that are shown beside each other. */
const COMPARED = 12

/** Two branches of a story from where they part. */
export interface BranchComparison {
  /** Index of the last action that both share; -1 for none. */
  shared: number
  one: BranchSide
  other: BranchSide
  differences: Difference[]
}

interface BranchSide {
  branch: StoryBranch
  /** The first actions of its own. */
  actions: Action[]
}

/** Throws not_found, also for two stories that are no branches of one. */
export function compareBranches(reader: Reader, one: number, other: number): BranchComparison {
  getAdventure(reader, one)
  const branches = listBranches(reader, one)
  const shared = lastShared(branches, one, other)
  const side = (id: number): BranchSide => {
    const branch = branches.find((each) => each.id === id)
    if (!branch) throw new StoryError('not_found', 'These two stories are not branches of the same story.')
    return { branch, actions: listFrom(reader, id, shared + 1, COMPARED) }
  }
  const worldOf = (id: number) => getWorld(reader, id).state
  return {
    shared,
    one: side(one),
    other: side(other),
    differences: differencesOf(worldOf(one), worldOf(other)),
  }
}
