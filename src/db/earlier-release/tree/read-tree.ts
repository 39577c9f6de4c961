import type { BranchPart } from '../../../domain/family/lineage.ts'
import type { Reader } from '../../database.ts'
import { StoredBranches } from './branches.ts'

/** Which columns a library of stories as trees has: they came with its versions. */
export interface TreeColumns {
  /** Every attempt is a row. */
  live: boolean
  parent_id: boolean
  world_state_after: boolean
  name: boolean
  cursors: boolean
}

/** A row of a story: one attempt at a turn. */
export interface TreeNode {
  id: number
  branch: number
  depth: number
  parent: TreeNode | null
  /** The story tells this attempt at its turn. */
  isLive: boolean
  /** So it does with every one before it. */
  isToldToHere: boolean
  /** Its place among the attempts at its turn. */
  order: number
  /** All attempts at its turn in their order, itself included. */
  attempts: TreeNode[]
  isFollowed: boolean
}

export interface Tree {
  branches: StoredBranches
  /** The newest node of the story as it was last played; null before the first one. */
  head: TreeNode | null
  /** The other nodes that nothing follows, and that are no mere attempts: in the order of their branches. */
  ends: TreeNode[]
  /** The node at a depth of a branch, or the last one before it. */
  nodeAt(branch: number | null, depth: number): TreeNode | null
}

/** An adventure with a tree: where it was last played, and up to which nodes it was remembered and summarized. */
export interface TreeStory {
  id: number
  title: string
  script_state: string | null
  head_branch_id: number | null
  /** -1 before the first passage. */
  head_depth: number
  memory_cursor_branch_id: number | null
  memory_cursor_depth: number | null
  summary_cursor_branch_id: number | null
  summary_cursor_depth: number | null
}

interface Row {
  id: number
  branch_id: number | null
  depth: number
  parent_id: number | null
  live: number
  place: number
}

export function readTree(reader: Reader, story: TreeStory, columns: TreeColumns): Tree {
  const branches = new StoredBranches(reader, story.id, columns.name)
  const nodes = new NodeIndex(branches, columns.live)
  for (const row of listRows(reader, story.id, columns)) nodes.add(row)
  const all = nodes.finish()
  const isKnown = branches.has(story.head_branch_id)
  const head = nodes.at(branches.known(story.head_branch_id), isKnown ? story.head_depth : Infinity)
  const passed = new Set(pathTo(head))
  const ends = all.filter((node) => isEnd(node) && !passed.has(node))
  ends.sort((one, other) => one.branch - other.branch || one.depth - other.depth || one.id - other.id)
  const nodeAt: Tree['nodeAt'] = (branch, depth) =>
    branch !== null && branches.has(branch) ? nodes.at(branch, depth) : null
  return { branches, head, ends, nodeAt }
}

/** The nodes of a line, the first one first. */
export function pathTo(end: TreeNode | null): TreeNode[] {
  const path: TreeNode[] = []
  for (let node = end; node !== null; node = node.parent) path.push(node)
  return path.reverse()
}

/** The parts of branches that a line consists of. */
export function partsOf({ branches }: Tree, end: TreeNode | null): BranchPart[] {
  if (end === null) return []
  return branches
    .lineage(end.branch)
    .map(({ branch, last }) => ({ branch, last: branch === end.branch ? Math.min(last, end.depth) : last }))
}

function isEnd({ isFollowed, isLive, attempts, id }: TreeNode): boolean {
  if (isFollowed) return false
  const isTold = attempts.some((attempt) => attempt.isLive || attempt.isFollowed)
  return isLive || (!isTold && attempts[0]?.id === id)
}

function listRows(reader: Reader, id: number, { live, parent_id }: TreeColumns): Row[] {
  return reader.all<Row>(
    `SELECT id, branch_id, coalesce(depth, "index") AS depth, ${parent_id ? 'parent_id' : 'NULL AS parent_id'},
            ${live ? 'live' : '1 AS live'}, variant_index AS place
       FROM actions WHERE adventure_id = ? ORDER BY coalesce(depth, "index"), id`,
    id,
  )
}

/** The nodes of a story, added from its beginning on. */
class NodeIndex {
  private readonly byId = new Map<number, TreeNode>()
  private readonly turns = new Map<string, TreeNode[]>()
  /** The live nodes of each branch by depth. */
  private readonly nodes = new Map<number, TreeNode[]>()

  constructor(
    private readonly branches: StoredBranches,
    private readonly hasAttempts: boolean,
  ) {}

  add({ id, branch_id, depth, parent_id, live, place }: Row): void {
    const branch = this.branches.known(branch_id)
    const parent = this.parentOf(parent_id, branch, depth)
    const isLive = live !== 0
    const isToldToHere = isLive && (parent?.isToldToHere ?? true)
    const turn = this.hasAttempts ? `${branch} ${depth} ${parent?.id}` : String(id)
    const attempts = this.turns.get(turn) ?? []
    const node = {
      id,
      branch,
      depth,
      parent,
      isLive,
      isToldToHere,
      order: place,
      attempts,
      isFollowed: false,
    }
    attempts.push(node)
    this.turns.set(turn, attempts)
    this.byId.set(id, node)
    if (parent) parent.isFollowed = true
    if (isLive) this.tellOn(branch).push(node)
  }

  finish(): TreeNode[] {
    for (const attempts of this.turns.values())
      attempts.sort((one, other) => one.order - other.order || one.id - other.id)
    return [...this.byId.values()]
  }

  /** The live node at a depth of the story on a branch, or the last one before it. */
  at(branch: number, depth: number): TreeNode | null {
    for (const part of this.branches.lineage(branch)) {
      const node = lastUpTo(this.nodes.get(part.branch) ?? [], Math.min(part.last, depth))
      if (node) return node
    }
    return null
  }

  // A row names the one before it only from some version on, and only where that was known.
  private parentOf(declared: number | null, branch: number, depth: number): TreeNode | null {
    const parent = declared === null ? undefined : this.byId.get(declared)
    return parent && parent.depth < depth ? parent : this.at(branch, this.hasAttempts ? depth - 1 : depth)
  }

  private tellOn(branch: number): TreeNode[] {
    const nodes = this.nodes.get(branch) ?? []
    this.nodes.set(branch, nodes)
    return nodes
  }
}

/** The last of some nodes, ordered by depth, that is not deeper; of several at its depth a live one. */
function lastUpTo(nodes: readonly TreeNode[], depth: number): TreeNode | null {
  let [low, high] = [0, nodes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((nodes[middle]?.depth ?? 0) <= depth) low = middle + 1
    else high = middle
  }
  const last = nodes[low - 1] ?? null
  for (let i = low - 1; i >= 0 && nodes[i]?.depth === last?.depth; i--)
    if (nodes[i]?.isToldToHere) return nodes[i] ?? null
  return last
}
