import type { StoryBranch } from './branch.ts'

/** A branch on the map: a horizontal lane on a scale of turns, one below the other. */
export interface Lane {
  branch: StoryBranch
  row: number
  /** Number of branches between it and the first one. */
  depth: number
  /** The row of the branch that it left; null for one that begins the story. */
  parentRow: number | null
  /** The index at which it left, and that of its last action. */
  from: number
  to: number
}

/** Each below the one that it left, the latest first, so that no joining line crosses another lane. */
export function lanesOf(branches: readonly StoryBranch[]): Lane[] {
  const lanes: Lane[] = []
  const place = (branch: StoryBranch, parent: Lane | null) => {
    const lane: Lane = {
      branch,
      row: lanes.length,
      depth: parent ? parent.depth + 1 : 0,
      parentRow: parent?.row ?? null,
      from: Math.max(0, branch.branched_at ?? 0),
      to: Math.max(branch.action_count - 1, branch.branched_at ?? 0, 0),
    }
    lanes.push(lane)
    for (const child of childrenOf(branch, branches))
      if (!lanes.some((one) => one.branch.id === child.id)) place(child, lane)
  }
  for (const branch of branches) if (isFirst(branch, branches)) place(branch, null)
  return lanes
}

/** Index of the last action that two branches of a family share; -1 if they share none. */
export function lastShared(branches: readonly StoryBranch[], one: number, other: number): number {
  const own = sharedWithAncestors(branches, one)
  for (const [id, last] of sharedWithAncestors(branches, other)) {
    const known = own.get(id)
    if (known !== undefined) return Math.min(known, last)
  }
  return -1
}

/** The branch to which an action of a branch belongs: one that it grew from, if it shares the action with that. */
export function originOf(branches: readonly StoryBranch[], id: number, index: number): number {
  const branch = branches.find((one) => one.id === id)
  const { branched_from: from = null, branched_at: last } = branch ?? {}
  return from === null || index > (last ?? -1) ? id : originOf(branches, from, index)
}

/** The branch itself and those that it grew from, with the last index that it shares with each. */
function sharedWithAncestors(branches: readonly StoryBranch[], id: number): Map<number, number> {
  const shared = new Map<number, number>()
  let last = Number.POSITIVE_INFINITY
  for (let next: number | null = id; next !== null && !shared.has(next); ) {
    const branch = branches.find((one) => one.id === next)
    if (!branch) break
    shared.set(branch.id, Math.min(last, branch.action_count - 1))
    last = Math.min(last, branch.branched_at ?? -1)
    next = branch.branched_from
  }
  return shared
}

function childrenOf({ id }: StoryBranch, branches: readonly StoryBranch[]): StoryBranch[] {
  return branches
    .filter(({ branched_from }) => branched_from === id)
    .sort((one, other) => (other.branched_at ?? 0) - (one.branched_at ?? 0) || one.id - other.id)
}

// Another program may have written a branch that grew from one of its own branches.
function isFirst({ id, branched_from }: StoryBranch, branches: readonly StoryBranch[]): boolean {
  const seen = new Set([id])
  for (let next = branched_from; next !== null; ) {
    if (seen.has(next)) return id === Math.min(...seen)
    seen.add(next)
    next = branches.find((one) => one.id === next)?.branched_from ?? null
  }
  return branched_from === null
}

/** Pixels from one lane to the next: the size of a touch target. */
export const LANE_HEIGHT = 44

/** Position of a lane: horizontally in percent of the width, so that a map fits any, and vertically in pixels. */
interface LaneShape {
  start: string
  end: string
  y: number
  /**
   * The start of the line that joins it: on the lane that it left, or, with many branches, at the left edge, because lines
   * down from one lane would cover the others. Null for a branch that begins the story.
   */
  join: { x: string; y: number } | null
}

export interface MapScale {
  last: number
  /** Percent at both sides, where the ends of lanes have room. */
  margin: number
  /** True for too many branches for lines from one to another. */
  isCrowded: boolean
}

/** The most branches whose joining lines can still be told apart. */
const MAX_JOINED = 12

export function scaleOf(lanes: readonly Lane[]): MapScale {
  return { last: Math.max(1, ...lanes.map(({ to }) => to)), margin: 4, isCrowded: lanes.length > MAX_JOINED }
}

export function shapeOf({ from, to, row, parentRow }: Lane, scale: MapScale): LaneShape {
  // A branch without an action of its own can be seen too.
  const end = parentRow !== null && from === to ? from + scale.last / 40 : to
  return {
    start: across(from, scale),
    end: across(end, scale),
    y: down(row),
    join: parentRow === null ? null : joinOf(from, row, parentRow, scale),
  }
}

function joinOf(from: number, row: number, parentRow: number, scale: MapScale): LaneShape['join'] {
  return scale.isCrowded
    ? { x: across(0, scale), y: down(row) }
    : { x: across(from, scale), y: down(parentRow) }
}

export function across(index: number, { last, margin }: MapScale): string {
  return `${(margin + ((100 - 2 * margin) * Math.min(index, last)) / last).toFixed(2)}%`
}

function down(row: number): number {
  return (row + 0.5) * LANE_HEIGHT
}
