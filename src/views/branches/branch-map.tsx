import { branchLabel, type StoryBranch } from '../../domain/family/branch.ts'
import {
  across,
  LANE_HEIGHT,
  type Lane,
  lanesOf,
  type MapScale,
  scaleOf,
  shapeOf,
} from '../../domain/family/branch-map.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { storyEndUrl } from '../urls.ts'

export interface MarkedPassage {
  branch: number
  index: number
  name: string
}

interface MapProps {
  branches: readonly StoryBranch[]
  /** Null in the library. */
  current: number | null
  bookmarks: readonly MarkedPassage[]
  /** Gives each turn a space of its own. */
  isZoomed?: boolean
}

/** The end of the branch that the reader is on, for addresses that scroll a zoomed map to it. */
export const HERE = 'here'
/** Pixels of a turn on a zoomed map. */
const PER_TURN = 14
/** Maps with more actions than this have no dots: they would not fit a phone. */
const MAX_DOTS = 60
/** Names of deeper branches are indented no further. */
const MAX_INDENT = 3

/**
 * The branches of a story as lanes on a scale of turns, beside their names; a lane can be pressed. The list below it says
 * the same to screen readers and the keyboard.
 */
export function BranchMap({ branches, current, bookmarks, isZoomed = false }: MapProps): Markup {
  const lanes = lanesOf(branches)
  const whole = scaleOf(lanes)
  const { last } = whole
  // The room of a turn at both sides.
  const scale = isZoomed ? { ...whole, margin: 100 / (last + 2) } : whole
  const hasDots = isZoomed || last <= MAX_DOTS
  const width = isZoomed ? `max(100%, ${(last + 2) * PER_TURN}px)` : '100%'
  return (
    <section class="branch-map" aria-label="Map of the branches" tabindex="0">
      <div class="lane-names" aria-hidden="true">
        {lanes.map((lane) => (
          <a
            class={`${laneClass(lane, current)} indent-${Math.min(lane.depth, MAX_INDENT)}`}
            href={storyEndUrl(lane.branch.id)}
            tabindex="-1"
            dir="auto"
            translate="no"
          >
            {branchLabel(lane.branch)}
          </a>
        ))}
      </div>
      <div>
        <svg width={width} height={lanes.length * LANE_HEIGHT} aria-hidden="true">
          {lanes.map((lane) => (
            <a class={laneClass(lane, current)} href={storyEndUrl(lane.branch.id)} tabindex="-1">
              <LaneLines lane={lane} scale={scale} />
              {hasDots
                ? ownActions(lane).map((index) => <Dot lane={lane} index={index} scale={scale} />)
                : null}
              {bookmarks
                .filter(({ branch, index }) => branch === lane.branch.id && isOwn(lane, index))
                .map((bookmark) => (
                  <Dot lane={lane} scale={scale} {...bookmark} />
                ))}
              <circle
                class="end"
                id={lane.branch.id === current ? HERE : undefined}
                cx={shapeOf(lane, scale).end}
                cy={shapeOf(lane, scale).y}
                r={6}
              />
            </a>
          ))}
        </svg>
      </div>
    </section>
  )
}

function LaneLines({ lane, scale }: { lane: Lane; scale: MapScale }): Markup {
  const { start, end, y, join } = shapeOf(lane, scale)
  return (
    <>
      <rect width="100%" y={lane.row * LANE_HEIGHT} height={LANE_HEIGHT} fill="transparent" />
      {join ? (
        <line x1={join.x} y1={join.y} x2={start} y2={y} stroke-opacity={scale.isCrowded ? 0.3 : 1} />
      ) : null}
      <line x1={start} y1={y} x2={end} y2={y} />
    </>
  )
}

interface DotProps {
  lane: Lane
  index: number
  scale: MapScale
  name?: string
}

function Dot({ lane, index, scale, name }: DotProps): Markup {
  const at = { cx: across(index, scale), cy: shapeOf(lane, scale).y }
  if (name === undefined) return <circle {...at} r={2.5} />
  return (
    <circle class="bookmark" {...at} r={4.5}>
      <title>{name === '' ? `Bookmark at passage ${index}` : name}</title>
    </circle>
  )
}

function laneClass({ branch }: Lane, current: number | null): string {
  const main = branch.main_branch ? ' main-branch' : ''
  return `lane color-${branch.branch_color}${main}${branch.id === current ? ' current' : ''}`
}

/** The indexes of the actions that a branch does not share. */
function ownActions({ from, to, parentRow }: Lane): number[] {
  const first = parentRow === null ? 0 : from + 1
  return Array.from({ length: Math.max(0, to - first + 1) }, (_, i) => first + i)
}

function isOwn({ from, parentRow }: Lane, index: number): boolean {
  return parentRow === null || index > from
}
