import type { Lane } from './branch-map.ts'

/** Pixels from one lane to the next. */
export const LANE_HEIGHT = 28

/** Where a lane is drawn: across in percent of the width, so that a map fits any, and down in pixels. */
interface LaneShape {
  start: string
  end: string
  y: number
  /** Of the lane that it left; null for one that begins the story. */
  parentY: number | null
}

/** The last index on a map, which stands at its right edge. */
export function lastIndexOf(lanes: readonly Lane[]): number {
  return Math.max(1, ...lanes.map(({ to }) => to))
}

export function shapeOf({ from, to, row, parentRow }: Lane, last: number): LaneShape {
  // A branch without an action of its own can be seen too.
  const end = parentRow !== null && from === to ? from + last / 40 : to
  return {
    start: across(from, last),
    end: across(end, last),
    y: down(row),
    parentY: parentRow === null ? null : down(parentRow),
  }
}

/** Where an action stands; there is room for the ends of lanes at both sides. */
export function across(index: number, last: number): string {
  return `${(3 + (94 * Math.min(index, last)) / last).toFixed(2)}%`
}

function down(row: number): number {
  return (row + 0.5) * LANE_HEIGHT
}
