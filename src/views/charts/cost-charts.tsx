import type { Told, TurnCost } from '../../domain/turn-cost.ts'
import { amount } from '../ui/format-number.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Bars, Plotted } from './bars.tsx'
import { GrowthLine } from './growth-line.tsx'

/** What the last turns cost, and how the story has grown: for a look, and as tables. */
export function CostPlots({
  costs,
  told,
}: {
  costs: readonly TurnCost[]
  told: readonly Told[]
}): Markup | null {
  if (costs.length === 0 && told.length < 2) return null
  return (
    <>
      <h2>What the turns cost</h2>
      <div class="histories">
        {costs.length > 0 ? <Reading costs={costs} /> : null}
        {costs.some(({ total }) => total !== null) ? <Waiting costs={costs} /> : null}
        {told.length > 1 ? <Growth told={told} /> : null}
      </div>
    </>
  )
}

function Reading({ costs }: { costs: readonly TurnCost[] }): Markup {
  const anew = costs.map(({ prompt, reused }) => Math.max(0, prompt - (reused ?? 0)))
  const mean = Math.round(anew.reduce((sum, tokens) => sum + tokens, 0) / costs.length)
  return (
    <Plotted
      title="Tokens of the prompt"
      legend={['read anew', 'known from before']}
      heads={['Passage', 'Prompt', 'Known from before', 'Reply']}
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
          part: anew[i] ?? 0,
        }))}
        unit="tokens"
        about={`Tokens of the prompt over ${costs.length} turns; on average ${amount(mean)} had to be read anew`}
      />
    </Plotted>
  )
}

function Waiting({ costs }: { costs: readonly TurnCost[] }): Markup {
  const timed = costs.filter(({ total }) => total !== null)
  const longest = Math.max(...timed.map(({ total }) => total ?? 0))
  return (
    <Plotted
      title="Seconds of waiting"
      legend={['until the first word', 'while it was told']}
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
        about={`Seconds of waiting over ${timed.length} turns, at most ${seconds(longest)}`}
      />
    </Plotted>
  )
}

function Growth({ told }: { told: readonly Told[] }): Markup {
  return (
    <Plotted
      title="How the story grew"
      legend={null}
      heads={['Passage', 'Told at']}
      rows={told.map(({ index, created_at }) => [String(index), created_at.slice(0, 16).replace('T', ' ')])}
    >
      <GrowthLine told={told} />
    </Plotted>
  )
}

function count(tokens: number | null): string {
  return tokens === null ? '—' : amount(tokens)
}

function seconds(milliseconds: number | null): string {
  return milliseconds === null ? '—' : `${(milliseconds / 1_000).toFixed(1)} s`
}

/** Milliseconds as seconds, to a tenth. */
function tenths(milliseconds: number | null): number {
  return Math.round((milliseconds ?? 0) / 100) / 10
}
