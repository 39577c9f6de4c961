import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { formatNumber } from '../ui/format-number.ts'
import { ScrollTable } from '../ui/scroll-table.tsx'
import { Table } from '../ui/table.tsx'
import { EDGE, LEFT, round, WIDTH } from './scale.ts'

interface Bar {
  name: string
  whole: number
  /** Drawn at the bottom of the bar. */
  part: number
}

const HEIGHT = 140
const WIDEST = 48

/** A bar chart; each bar has two parts. The same numbers are in a table below. */
export function Bars({ bars, about, unit }: { bars: readonly Bar[]; about: string; unit: string }): Markup {
  const highest = Math.max(1, ...bars.map(({ whole }) => whole))
  const across = Math.min(WIDEST, (WIDTH - LEFT - EDGE) / bars.length)
  const tall = (value: number) => round((value / highest) * (HEIGHT - 3 * EDGE))
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={about} class="plot-bars">
      <title>{about}</title>
      <text x={LEFT - 10} y={2 * EDGE} text-anchor="end">
        {formatNumber(highest)}
      </text>
      <text x={LEFT - 10} y={HEIGHT - EDGE} text-anchor="end">
        0
      </text>
      <path d={`M ${LEFT} ${HEIGHT - EDGE} H ${WIDTH - EDGE}`} stroke="currentColor" class="ticks" />
      {bars.map(({ name, whole, part }, i) => {
        const x = round(LEFT + i * across + across * 0.1)
        const width = round(across * 0.8)
        return (
          <g>
            <title>{`${name}: ${formatNumber(whole)} ${unit}`}</title>
            <rect x={x} y={HEIGHT - EDGE - tall(whole)} width={width} height={tall(whole)} class="whole" />
            <rect x={x} y={HEIGHT - EDGE - tall(part)} width={width} height={tall(part)} class="part" />
          </g>
        )
      })}
    </svg>
  )
}

interface ChartProps {
  title: string
  /** The meaning of the two parts of a bar; null for a chart without parts. */
  legend: readonly [part: string, rest: string] | null
  heads: readonly string[]
  rows: readonly (readonly string[])[]
  children?: Child
}

export function Chart({ title, legend, heads, rows, children }: ChartProps): Markup {
  return (
    <section class="history">
      <h3>{title}</h3>
      {legend ? (
        <p class="legend about">
          <span class="part">{legend[0]}</span> <span class="whole">{legend[1]}</span>
        </p>
      ) : null}
      {children}
      <details>
        <summary>{`${title}, as a table`}</summary>
        <ScrollTable of={title}>
          <Table heads={heads} rows={rows} />
        </ScrollTable>
      </details>
    </section>
  )
}
