import type { TurnCost } from '../../domain/prompt/turn-cost.ts'
import { sumOf } from '../../lib/numbers.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { formatNumber, secondsInWords } from '../ui/format-number.ts'
import { Bars, Chart } from './bars.tsx'

export function CostCharts({ costs }: { costs: readonly TurnCost[] }): Markup | null {
  if (costs.length === 0) return null
  return (
    <>
      <h2>Cost of each turn</h2>
      <div class="histories">
        <PromptTokens costs={costs} />
        {costs.some(({ total }) => total !== null) ? <ResponseTime costs={costs} /> : null}
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
      heads={['Passage', 'Prompt', 'Cached', 'Reply']}
      rows={costs.map(({ index, prompt, reused, written }) => [
        String(index),
        count(prompt),
        count(reused),
        count(written),
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
