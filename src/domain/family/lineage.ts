/** A branch in the tree of a story, as the earlier release keeps it. */
export interface TreeBranch {
  parent: number | null
  /** The last depth that it shares with its parent; null for a root. */
  fork: number | null
}

/** The part of a branch up to the depth `last`. */
export interface BranchPart {
  branch: number
  last: number
}

/** The parts that make up the story on a branch, from the root on. A cycle of branches ends the walk. */
export function lineageOf(branchAt: (id: number) => TreeBranch | undefined, head: number): BranchPart[] {
  const parts: BranchPart[] = []
  const passed = new Set<number>()
  let last = Infinity
  for (let at: number | null = head; at !== null && !passed.has(at); ) {
    const branch = branchAt(at)
    parts.unshift({ branch: at, last })
    passed.add(at)
    last = Math.min(last, branch?.fork ?? Infinity)
    at = branch?.parent ?? null
  }
  return parts
}
