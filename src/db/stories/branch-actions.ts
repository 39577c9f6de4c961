import type { PortableAction, PortableActions } from '../../domain/portable/portable.ts'
import type { StoredActions } from './stored-actions.ts'

/** The actions of a branch that no earlier one has, by their positions. */
interface OwnActions {
  actions: StoredActions
  first: number
}

/** The actions of several branches one after the other, each of them once. */
export class BranchActions implements PortableActions {
  readonly length: number

  constructor(private readonly branches: readonly OwnActions[]) {
    this.length = branches.reduce((sum, { actions, first }) => sum + actions.length - first, 0)
  }

  *[Symbol.iterator](): Generator<PortableAction> {
    for (const { actions, first } of this.branches) yield* actions.from(first)
  }

  *entries(): Generator<[number, PortableAction]> {
    let index = 0
    for (const action of this) yield [index++, action]
  }
}
