import type { PassageTime } from '../../domain/prompt/turn-cost.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { formatNumber } from '../ui/format-number.ts'
import { timeInWords } from '../ui/time.tsx'
import { EDGE, LEFT, round, WIDTH } from './scale.ts'

const HEIGHT = 140
const FLOOR = HEIGHT - 2.5 * EDGE

/** Passages over time: the line is flat while nobody played. */
export function GrowthLine({ passages }: { passages: readonly PassageTime[] }): Markup {
  const times = passages.map(({ created_at }) => Date.parse(created_at))
  const [start, end] = [Math.min(...times), Math.max(...times)]
  const last = Math.max(1, ...passages.map(({ index }) => index))
  const x = (time: number) =>
    round(LEFT + ((time - start) / Math.max(1, end - start)) * (WIDTH - LEFT - EDGE))
  const y = (index: number) => round(FLOOR - (index / last) * (FLOOR - 2 * EDGE))
  const line = passages.map(
    ({ index }, i) => `${i === 0 ? 'M' : 'H'} ${x(times[i] ?? 0)} ${i === 0 ? '' : 'V '}${y(index)}`,
  )
  const [first, newest] = [start, end].map((time) => timeInWords(new Date(time), 'day'))
  const about = `${formatNumber(last + 1)} passages from ${first} to ${newest}`
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={about} class="plot-line">
      <title>{about}</title>
      <text x={LEFT - 10} y={2 * EDGE + 6} text-anchor="end">
        {formatNumber(last)}
      </text>
      <text x={LEFT - 10} y={FLOOR} text-anchor="end">
        0
      </text>
      <text x={LEFT} y={HEIGHT - 6}>
        {first}
      </text>
      <text x={WIDTH - EDGE} y={HEIGHT - 6} text-anchor="end">
        {newest}
      </text>
      <path d={line.join(' ')} fill="none" stroke="currentColor" stroke-width="2.5" />
    </svg>
  )
}
