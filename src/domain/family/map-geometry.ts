import type { Lane } from './branch-map.ts'

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
