import type { Lane } from './branch-map.ts'

/** Pixels from one lane to the next: what a finger needs. */
export const LANE_HEIGHT = 44

/** Where a lane is drawn: across in percent of the width, so that a map fits any, and down in pixels. */
interface LaneShape {
  start: string
  end: string
  y: number
  /** Of the lane that it left; null for one that begins the story. */
  parentY: number | null
}

/** What of a map is how wide. */
export interface MapScale {
  /** The last index, which stands at its right edge. */
  last: number
  /** Percent at both sides, where the ends of lanes have room. */
  margin: number
}

export function scaleOf(lanes: readonly Lane[]): MapScale {
  return { last: Math.max(1, ...lanes.map(({ to }) => to)), margin: 4 }
}

export function shapeOf({ from, to, row, parentRow }: Lane, scale: MapScale): LaneShape {
  // A branch without an action of its own can be seen too.
  const end = parentRow !== null && from === to ? from + scale.last / 40 : to
  return {
    start: across(from, scale),
    end: across(end, scale),
    y: down(row),
    parentY: parentRow === null ? null : down(parentRow),
  }
}

/** Where an action stands. */
export function across(index: number, { last, margin }: MapScale): string {
  return `${(margin + ((100 - 2 * margin) * Math.min(index, last)) / last).toFixed(2)}%`
}

function down(row: number): number {
  return (row + 0.5) * LANE_HEIGHT
}
