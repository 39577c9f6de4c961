import { READ_REASONS } from '../../domain/prompt/prompt-reading.ts'
import type { PassageTime, TurnCost } from '../../domain/prompt/turn-cost.ts'
import { sumOf } from '../../lib/numbers.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { formatNumber, secondsInWords } from '../ui/format-number.ts'
import { timeInWords } from '../ui/time.tsx'
import { Bars, Chart } from './bars.tsx'
import { EDGE, LEFT, round, WIDTH } from './scale.ts'

/** Tokens and time of the latest turns, and how the story has grown, as charts and tables. */
export function CostCharts({
  costs,
  told,
}: {
  costs: readonly TurnCost[]
  told: readonly PassageTime[]
}): Markup | null {
  if (costs.length === 0 && told.length < 2) return null
  return (
    <>
      <h2>Cost of each turn</h2>
      <div class="histories">
        {costs.length > 0 ? <PromptTokens costs={costs} /> : null}
        {costs.some(({ total }) => total !== null) ? <ResponseTime costs={costs} /> : null}
        {told.length > 1 ? <Growth told={told} /> : null}
      </div>
    </>
  )
}

function PromptTokens({ costs }: { costs: readonly TurnCost[] }): Markup {
  const processed = costs.map(({ prompt, reused }) => Math.max(0, prompt - (reused ?? 0)))
  const mean = Math.round(sumOf(processed) / costs.length)
  return (
    <Chart
      title="Prompt tokens"
      legend={['processed', 'cached']}
      heads={['Passage', 'Prompt', 'Cached', 'Reply', 'Processed again because']}
      rows={costs.map(({ index, prompt, reused, written, why }) => [
        String(index),
        count(prompt),
        count(reused),
        count(written),
        why === null ? '—' : READ_REASONS[why],
      ])}
    >
      <Bars
        bars={costs.map(({ index, prompt }, i) => ({
          name: `Passage ${index}`,
          whole: prompt,
          part: processed[i] ?? 0,
        }))}
        unit="tokens"
        about={`Prompt tokens over ${costs.length} turns; ${formatNumber(mean)} processed on average`}
      />
    </Chart>
  )
}

function ResponseTime({ costs }: { costs: readonly TurnCost[] }): Markup {
  const timed = costs.filter(({ total }) => total !== null)
  const longest = Math.max(...timed.map(({ total }) => total ?? 0))
  return (
    <Chart
      title="Response time in seconds"
      legend={['to the first word', 'to the last word']}
      heads={['Passage', 'First word', 'Whole passage']}
      rows={timed.map(({ index, first, total }) => [String(index), seconds(first), seconds(total)])}
    >
      <Bars
        bars={timed.map(({ index, first, total }) => ({
          name: `Passage ${index}`,
          whole: tenths(total),
          part: tenths(first),
        }))}
        unit="seconds"
        about={`Response time over ${timed.length} turns, at most ${seconds(longest)}`}
      />
    </Chart>
  )
}

function Growth({ told }: { told: readonly PassageTime[] }): Markup {
  return (
    <Chart
      title="Story growth"
      legend={null}
      heads={['Passage', 'Written at']}
      rows={told.map(({ index, created_at }) => [String(index), timeInWords(new Date(created_at), 'minute')])}
    >
      <GrowthLine passages={told} />
    </Chart>
  )
}

function count(tokens: number | null): string {
  return tokens === null ? '—' : formatNumber(tokens)
}

function seconds(milliseconds: number | null): string {
  return milliseconds === null ? '—' : secondsInWords(milliseconds)
}

/** Milliseconds as seconds, to a tenth. */
function tenths(milliseconds: number | null): number {
  return Math.round((milliseconds ?? 0) / 100) / 10
}

const HEIGHT = 140
const FLOOR = HEIGHT - 2.5 * EDGE

/** Passages over time: the line is flat while nobody played. */
function GrowthLine({ passages }: { passages: readonly PassageTime[] }): Markup {
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
