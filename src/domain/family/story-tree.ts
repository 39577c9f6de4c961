import { countBelow } from '../../lib/numbers.ts'
import type { PortableMemory } from '../portable/portable.ts'

/** A branch in the tree of a story, as the earlier release stores it. */
export interface TreeBranch {
  parent: number | null
  /** The last depth that it shares with its parent; null for a root. */
  fork: number | null
}

/** The part of a branch up to the depth `last`. */
interface BranchPart {
  branch: number
  last: number
}

export interface TreeRow {
  id: number
  branch: number
  depth: number
  /** The attempt that it was played after; null where that is not known. */
  parent: number | null
  /** Its position among the attempts at its turn. */
  order: number
}

/** An attempt at a turn, linked to the one before it and to the others at its turn. */
export interface TreeNode extends Omit<TreeRow, 'parent'> {
  parent: TreeNode | null
  /** All attempts at its turn in their order, itself included. */
  attempts: TreeNode[]
  isLive: boolean
  /** True if it and all attempts before it are live. */
  isOnLivePath: boolean
  isFollowed: boolean
}

interface LiveNodes {
  depths: number[]
  nodes: TreeNode[]
}

/** The tree of a story in which every attempt at a turn is a row. */
export class StoryTree {
  private readonly nodes = new Map<number, TreeNode>()
  private readonly turns = new Map<string, TreeNode[]>()
  private readonly live = new Map<number, LiveNodes>()
  private readonly lineages = new Map<number, BranchPart[]>()

  /** Rows are ordered by depth, and the live attempt at a turn comes before the others. */
  constructor(
    private readonly branchAt: (id: number) => TreeBranch | undefined,
    rows: Iterable<TreeRow>,
  ) {
    for (const row of rows) this.add(row)
    for (const attempts of this.turns.values()) attempts.sort((a, b) => a.order - b.order || a.id - b.id)
  }

  /** The live node at a depth of the story on a branch, or the last one before it. */
  at(branch: number, depth: number): TreeNode | null {
    for (const part of this.lineageOf(branch)) {
      const { depths, nodes } = this.liveOn(part.branch)
      const node = nodes[countBelow(depths, Math.min(part.last, depth) + 1) - 1]
      if (node) return node
    }
    return null
  }

  /** The nodes at which the lines of the story end, in the order of their branches. */
  ends(): TreeNode[] {
    const ends = [...this.nodes.values()].filter(({ isLive, isFollowed }) => isLive && !isFollowed)
    return ends.sort((a, b) => a.branch - b.branch || a.depth - b.depth || a.id - b.id)
  }

  private add({ parent: declared, ...row }: TreeRow): void {
    const { id, branch, depth } = row
    const parent = (declared !== null && this.nodes.get(declared)) || this.at(branch, depth - 1)
    const turn = `${branch} ${depth} ${parent?.id}`
    const attempts = this.turns.get(turn) ?? []
    const isLive = attempts.length === 0
    const isOnLivePath = isLive && (parent?.isOnLivePath ?? true)
    const node = { ...row, parent, attempts, isLive, isOnLivePath, isFollowed: false }
    attempts.push(node)
    this.turns.set(turn, attempts)
    this.nodes.set(id, node)
    if (parent) parent.isFollowed = true
    if (isLive) this.addLive(node)
  }

  // Of several turns at one depth of a branch the story goes on with the one on the live path.
  private addLive(node: TreeNode): void {
    const { depths, nodes } = this.liveOn(node.branch)
    const last = nodes.at(-1)
    if (last?.depth !== node.depth) {
      depths.push(node.depth)
      nodes.push(node)
    } else if (node.isOnLivePath || !last.isOnLivePath) nodes[nodes.length - 1] = node
  }

  private liveOn(branch: number): LiveNodes {
    const live = this.live.get(branch) ?? { depths: [], nodes: [] }
    this.live.set(branch, live)
    return live
  }

  /** The parts that make up the story on a branch, its own first. A cycle of branches ends the walk. */
  private lineageOf(branch: number): BranchPart[] {
    const known = this.lineages.get(branch)
    if (known) return known
    const parts = new Map<number, BranchPart>()
    let last = Infinity
    for (let at: number | null = branch; at !== null && !parts.has(at); ) {
      const { parent, fork }: TreeBranch = this.branchAt(at) ?? { parent: null, fork: null }
      parts.set(at, { branch: at, last })
      last = Math.min(last, fork ?? Infinity)
      at = parent
    }
    const lineage = [...parts.values()]
    this.lineages.set(branch, lineage)
    return lineage
  }
}

/** The passages that a memory covers: depths, or indexes on a line. Null for one that the player wrote. */
type MemoryRange = Pick<PortableMemory, 'source_start' | 'source_end'>

const NO_RANGE: MemoryRange = { source_start: null, source_end: null }

export class TreeLine {
  readonly nodes: readonly TreeNode[]
  private readonly turns: ReadonlySet<readonly TreeNode[]>
  private readonly depths: readonly number[]

  constructor(end: TreeNode | null) {
    const nodes: TreeNode[] = []
    for (let node = end; node !== null; node = node.parent) nodes.push(node)
    this.nodes = nodes.reverse()
    this.turns = new Set(nodes.map(({ attempts }) => attempts))
    this.depths = nodes.map(({ depth }) => depth)
  }

  /** True for a memory that was made at a turn of the line, or before the first one. */
  hasTurnOf(node: TreeNode | null): boolean {
    return node === null || this.turns.has(node.attempts)
  }

  /** The range of a memory in indexes instead of depths; null where the line has no passage of it. */
  rangeOf({ source_start, source_end }: MemoryRange, firstIndex = 0): MemoryRange {
    if (source_start === null || source_end === null) return NO_RANGE
    const start = countBelow(this.depths, source_start)
    const end = countBelow(this.depths, source_end + 1) - 1
    return start > end ? NO_RANGE : { source_start: firstIndex + start, source_end: firstIndex + end }
  }
}
