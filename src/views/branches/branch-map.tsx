import type { StoryBranch } from '../../domain/family/branch.ts'
import { type Lane, lanesOf } from '../../domain/family/branch-map.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { storyEndUrl } from '../urls.ts'
import { branchLabel } from './branch-label.ts'

/** A bookmark by its branch and index. */
export interface MarkedPassage {
  branch: number
  index: number
  name: string
}

interface MapProps {
  branches: readonly StoryBranch[]
  /** The branch that the reader is on; null in the library. */
  current: number | null
  bookmarks: readonly MarkedPassage[]
  /** Whether each turn has room of its own. */
  isZoomed?: boolean
}

/** Pixels from one lane to the next, and from the top to the first. */
const ROW = 44
const TOP = 30
/** Pixels of a turn on a zoomed map. */
const PER_TURN = 14
/** With more actions than fit a phone, they have no dots. */
const MAX_DOTS = 60
/** Characters of a name that fit a phone. */
const NAME_LENGTH = 36

/**
 * The branches of a story as lanes on its own clock, as wide as there is room; a lane can be pressed. The list below it says
 * the same to the ears and the keyboard.
 */
export function BranchMap({ branches, current, bookmarks, isZoomed = false }: MapProps): Markup {
  const lanes = lanesOf(branches)
  const last = Math.max(1, ...lanes.map(({ to }) => to))
  const hasDots = isZoomed || last <= MAX_DOTS
  const width = isZoomed ? `max(100%, ${last * PER_TURN}px)` : '100%'
  return (
    <section class="branch-map" aria-label="Map of the branches" tabindex="0">
      <svg width={width} height={lanes.length * ROW + TOP / 2} aria-hidden="true">
        {lanes.map((lane) => (
          <g class={laneClass(lane, current)}>
            <LaneLines lane={lane} last={last} />
            {hasDots
              ? ownActions(lane).map((index) => <circle cx={x(index, last)} cy={y(lane.row)} r={2.5} />)
              : null}
            {bookmarks
              .filter(({ branch, index }) => branch === lane.branch.id && isOwn(lane, index))
              .map(({ index, name }) => (
                <circle class="bookmark" cx={x(index, last)} cy={y(lane.row)} r={4.5}>
                  <title>{name === '' ? `Bookmark at passage ${index}` : name}</title>
                </circle>
              ))}
            <circle class="end" cx={endOf(lane, last)} cy={y(lane.row)} r={6} />
            <LaneName lane={lane} last={last} />
          </g>
        ))}
      </svg>
    </section>
  )
}

function LaneLines({ lane, last }: { lane: Lane; last: number }): Markup {
  const [start, height] = [x(lane.from, last), y(lane.row)]
  return (
    <>
      {lane.parentRow === null ? null : <line x1={start} y1={y(lane.parentRow)} x2={start} y2={height} />}
      <line x1={start} y1={height} x2={endOf(lane, last)} y2={height} />
    </>
  )
}

/** Above the lane; one that begins far to the right has it to the left of its end. */
function LaneName({ lane: { branch, row, from }, last }: { lane: Lane; last: number }): Markup {
  const isFarRight = from > last * 0.35
  return (
    <a href={storyEndUrl(branch.id)} tabindex="-1">
      <rect width="100%" y={y(row) - TOP} height={ROW} fill="transparent" />
      <text
        x={isFarRight ? '98%' : x(from, last)}
        dx={isFarRight ? 0 : 8}
        y={y(row) - 10}
        text-anchor={isFarRight ? 'end' : 'start'}
      >
        {shortened(branchLabel(branch))}
      </text>
    </a>
  )
}

/** Room at both sides for the ends of lanes. */
function x(index: number, last: number): string {
  return `${(3 + (94 * index) / last).toFixed(2)}%`
}

/** Lanes of a branch without an action of its own have a length too. */
function endOf({ from, to, parentRow }: Lane, last: number): string {
  return parentRow !== null && from === to ? x(from + last / 40, last) : x(to, last)
}

function y(row: number): number {
  return row * ROW + TOP
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

function shortened(name: string): string {
  const characters = [...name]
  return characters.length <= NAME_LENGTH ? name : `${characters.slice(0, NAME_LENGTH - 1).join('')}…`
}
