import { amount } from '../ui/format-number.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Table } from '../ui/table.tsx'
import { Wide } from '../ui/scroll-table.tsx'

/** One bar: its whole height, and the part of it that is told apart. */
export interface Bar {
  /** What stands below it in words. */
  name: string
  whole: number
  /** From the ground up. */
  part: number
}

const WIDTH = 600
const HEIGHT = 140
const LEFT = 64
const EDGE = 12
const WIDEST = 48

/** Bars beside each other, each in two parts. What they show stands in a table too. */
export function Bars({ bars, about, unit }: { bars: readonly Bar[]; about: string; unit: string }): Markup {
  const highest = Math.max(1, ...bars.map(({ whole }) => whole))
  const across = Math.min(WIDEST, (WIDTH - LEFT - EDGE) / bars.length)
  const tall = (value: number) => round((value / highest) * (HEIGHT - 3 * EDGE))
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={about} class="plot-bars">
      <title>{about}</title>
      <text x={LEFT - 10} y={2 * EDGE} text-anchor="end">
        {amount(highest)}
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
            <title>{`${name}: ${amount(whole)} ${unit}`}</title>
            <rect x={x} y={HEIGHT - EDGE - tall(whole)} width={width} height={tall(whole)} class="whole" />
            <rect x={x} y={HEIGHT - EDGE - tall(part)} width={width} height={tall(part)} class="part" />
          </g>
        )
      })}
    </svg>
  )
}

/** A plot with its name, what its parts mean, and the same numbers as a table. */
export function Plotted({
  title,
  legend,
  heads,
  rows,
  children,
}: {
  title: string
  /** What the two parts of a bar mean; empty for a plot without parts. */
  legend: readonly [part: string, rest: string] | null
  heads: readonly string[]
  rows: readonly (readonly string[])[]
  children?: Child
}): Markup {
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
        <Wide of={title}>
          <Table heads={heads} rows={rows} />
        </Wide>
      </details>
    </section>
  )
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
