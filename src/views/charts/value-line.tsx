import type { HistoryPoint } from '../../domain/world/value-history.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { formatNumber } from '../ui/format-number.ts'
import { EDGE, LEFT, round, WIDTH } from './scale.ts'

const HEIGHT = 120

interface ValueLineProps {
  label: string
  points: HistoryPoint[]
  turns: number[]
}

/** A stat's value over the passages, as steps: a dot at each change, and a tick for each turn. */
export function ValueLine({ label, points, turns }: ValueLineProps): Markup {
  const values = points.flatMap((point) => [Number(point.old), Number(point.new)])
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const [first, last] = [Math.min(...turns), Math.max(...turns)]
  const across = (WIDTH - LEFT - EDGE) / (last - first + 2)
  const x = (index: number) => round(LEFT + (index - first + 1) * across)
  const y = (value: number) => round(HEIGHT - 2 * EDGE - ((value - low) / (high - low)) * (HEIGHT - 3 * EDGE))
  const steps = points.map((point) => `H ${x(point.index)} V ${y(Number(point.new))}`)
  const line = `M ${LEFT} ${y(Number(points[0]?.old))} ${steps.join(' ')} H ${WIDTH - EDGE}`
  const ticks = turns.map((index) => `M ${x(index)} ${HEIGHT - 4} v -6`).join(' ')
  const about = `${label} from ${low} to ${high}, now ${String(points.at(-1)?.new)}`
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={about} class="plot-line">
      <title>{about}</title>
      <text x={LEFT - 10} y={y(high) + 6} text-anchor="end">
        {formatNumber(high)}
      </text>
      <text x={LEFT - 10} y={y(low) + 6} text-anchor="end">
        {formatNumber(low)}
      </text>
      <path d={ticks} class="ticks" stroke="currentColor" />
      <path d={line} fill="none" stroke="currentColor" stroke-width="2.5" />
      {points.map((point) => (
        <circle cx={x(point.index)} cy={y(Number(point.new))} r="5" class={point.verdict} fill="currentColor">
          <title>{`Passage ${point.index}: ${String(point.old)} to ${String(point.new)}`}</title>
        </circle>
      ))}
    </svg>
  )
}
