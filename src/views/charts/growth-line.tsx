import type { Told } from '../../domain/turn-cost.ts'
import { amount } from '../ui/format-number.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'

const WIDTH = 600
const HEIGHT = 140
const LEFT = 64
const EDGE = 12
const FLOOR = HEIGHT - 2.5 * EDGE

/** Passages over days: a line that stands still where nobody played. */
export function GrowthLine({ told }: { told: readonly Told[] }): Markup {
  const times = told.map(({ created_at }) => Date.parse(created_at))
  const [begun, ended] = [Math.min(...times), Math.max(...times)]
  const last = Math.max(1, ...told.map(({ index }) => index))
  const x = (time: number) =>
    round(LEFT + ((time - begun) / Math.max(1, ended - begun)) * (WIDTH - LEFT - EDGE))
  const y = (index: number) => round(FLOOR - (index / last) * (FLOOR - 2 * EDGE))
  const line = told.map(
    ({ index }, i) => `${i === 0 ? 'M' : 'H'} ${x(times[i] ?? 0)} ${i === 0 ? '' : 'V '}${y(index)}`,
  )
  const about = `${amount(last + 1)} passages from ${dayOf(begun)} to ${dayOf(ended)}`
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={about} class="plot-line">
      <title>{about}</title>
      <text x={LEFT - 10} y={2 * EDGE + 6} text-anchor="end">
        {amount(last)}
      </text>
      <text x={LEFT - 10} y={FLOOR} text-anchor="end">
        0
      </text>
      <text x={LEFT} y={HEIGHT - 6}>
        {dayOf(begun)}
      </text>
      <text x={WIDTH - EDGE} y={HEIGHT - 6} text-anchor="end">
        {dayOf(ended)}
      </text>
      <path d={line.join(' ')} fill="none" stroke="currentColor" stroke-width="2.5" />
    </svg>
  )
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10)
}
