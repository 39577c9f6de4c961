import { branchLabel } from '../../domain/family/branch.ts'
import { LANE_HEIGHT, type Lane, type MapScale, scaleOf, shapeOf } from '../../domain/family/branch-map.ts'
import { element, type XmlMarkup } from './xml.ts'

/** The colors of branches, which can be seen on light and dark paper. */
const COLORS = ['#ba673f', '#008eb6', '#609043', '#9b69b1', '#9c7c0b', '#647bc8', '#009783', '#b95f7d']
/** Characters of a name beside its lane. */
const NAME_LENGTH = 40

/** The map of the branches as a picture, with their names at its left. The contents say the same in words. */
export function branchMap(lanes: readonly Lane[]): XmlMarkup {
  const scale = scaleOf(lanes)
  const height = String(lanes.length * LANE_HEIGHT)
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: '100%',
      height,
      role: 'img',
      'aria-label': 'Map of the branches',
    },
    element('svg', { width: '37%', height }, lanes.map(laneName)),
    element(
      'svg',
      { x: '38%', width: '62%', height },
      lanes.map((lane) => laneLines(lane, scale)),
    ),
  )
}

function laneName({ branch, row, depth }: Lane): XmlMarkup {
  const at = { x: String(4 + 8 * Math.min(depth, 4)), y: String((row + 0.66) * LANE_HEIGHT) }
  const weight: Record<string, string> = branch.main_branch ? { 'font-weight': 'bold' } : {}
  const name = [...branchLabel(branch)].slice(0, NAME_LENGTH).join('')
  return element(
    'text',
    { ...at, ...weight, fill: 'currentColor', 'font-family': 'sans-serif', 'font-size': '13' },
    name,
  )
}

function laneLines(lane: Lane, scale: MapScale): XmlMarkup {
  const { start, end, y, join } = shapeOf(lane, scale)
  const color = COLORS[lane.branch.branch_color % COLORS.length] ?? ''
  const line = (x1: string, y1: number, x2: string, opacity = 1) =>
    element('line', { x1, y1: String(y1), x2, y2: String(y), 'stroke-opacity': String(opacity) })
  return element(
    'g',
    { stroke: color, fill: color, 'stroke-width': lane.branch.main_branch ? '4' : '2' },
    join ? line(join.x, join.y, start, scale.isCrowded ? 0.3 : 1) : [],
    line(start, y, end),
    element('circle', { cx: end, cy: String(y), r: '5' }),
  )
}
