import type { Context } from '../../app/context.ts'
import type { Insights } from '../../app/insights.ts'
import { worldChange } from '../../domain/action.ts'
import { changeWords, verdictWords } from '../../domain/world/change-words.ts'
import type { Point, Recorded, ValueHistory } from '../../domain/world/history.ts'
import type { SecondCall } from '../../domain/world/delta-report.ts'
import { amount } from '../ui/format-number.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Page } from '../layout.tsx'
import { PanelHead } from '../panels/panel-head.tsx'
import { CostPlots } from '../charts/cost-charts.tsx'
import { Table } from '../ui/table.tsx'
import { Wide } from '../ui/scroll-table.tsx'
import { PromptView } from './prompt-view.tsx'

export interface InsightsProps {
  adventureId: number
  title: string
  insights: Insights
  /** The turn that is looked at closely: its reply as the model wrote it. */
  close?: { actionId: number; raw: string } | undefined
  /** The prompt of that turn, or of the next one; null where there is none. */
  prompt: Context | null
}

/** Turns that are listed one by one. */
const LISTED = 30

/** What the narrator proposed, what the referee made of it, and how each value came to be what it is. */
export function InsightsPage({ adventureId, title, insights, close, prompt }: InsightsProps): Markup {
  const turns = insights.turns.slice(0, LISTED)
  return (
    <Page title={`Insights: ${title}`} place="/">
      <div class="shelf insights">
        <p class="back">
          <a class="way" href={`/adventures/${adventureId}`}>
            Back to the story
          </a>
        </p>
        <h1>{title}: Insights</h1>
        {prompt ? (
          <PromptView
            context={prompt}
            heading={close ? 'The prompt of this turn' : 'The prompt that your next turn would send'}
          />
        ) : null}
        <CostPlots costs={insights.costs} told={insights.told} />
        <h2>How the numbers moved</h2>
        {insights.history.length === 0 ? <p class="about">Nothing has moved yet.</p> : null}
        <div class="histories">
          {insights.history.map((history) => (
            <History history={history} turns={insights.turns.map(({ index }) => index)} />
          ))}
        </div>
        <h2>What was proposed, turn by turn</h2>
        {turns.length === 0 ? <p class="about">No turn has been told yet.</p> : null}
        {turns.map((turn) => (
          <Turn
            adventureId={adventureId}
            turn={turn}
            raw={close?.actionId === turn.action_id ? close.raw : null}
          />
        ))}
      </div>
    </Page>
  )
}

/** The same in short, beside the story: what the next turn would send. */
export function InsightsPanel({
  adventureId,
  prompt,
}: {
  adventureId: number
  prompt: Context | null
}): Markup {
  return (
    <section class="insights" aria-label="Insights">
      <PanelHead adventureId={adventureId} name="insights">
        Insights
      </PanelHead>
      <p>
        <a class="way" href={`/adventures/${adventureId}/insights`}>
          What was proposed, what it cost, how the numbers moved
        </a>
      </p>
      {prompt ? <PromptView context={prompt} heading="What your next turn would send" /> : null}
    </section>
  )
}

const RECORDED: Record<string, string> = {
  whole: 'The narrator reported its changes.',
  cut: 'The report broke off; what was whole of it counts.',
  unread: 'The report could not be read.',
  none: 'The narrator reported nothing.',
  asked: 'The narrator was asked for its changes by themselves.',
}

function Turn({
  adventureId,
  turn,
  raw,
}: {
  adventureId: number
  turn: Recorded
  raw: string | null
}): Markup {
  const { action_id, index, verdicts, delta, recorded, second_call } = turn
  const asked = Object.keys(delta).length
  return (
    <article id={`turn-${action_id}`}>
      <h3>Passage {index}</h3>
      <p class="about">
        {recorded === null ? 'No report of changes is kept of it.' : (RECORDED[recorded] ?? '')}{' '}
        {second_call ? secondCallWords(second_call) : ''}{' '}
        {verdicts.length === 0 && (recorded === 'whole' || recorded === 'asked')
          ? asked === 0
            ? 'Nothing was to change.'
            : 'Nothing changed by it.'
          : ''}
      </p>
      {verdicts.length > 0 ? (
        <Wide of={`What passage ${index} proposed`}>
          <Table
            heads={['Change', 'Path', 'Verdict']}
            rows={verdicts.map((verdict) => {
              const change = worldChange(verdict)
              return [
                changeWords(change),
                <code>{verdict.path}</code>,
                verdictWords(change) || 'applied as asked',
              ]
            })}
          />
        </Wide>
      ) : null}
      {raw === null ? (
        <p>
          <a class="way" href={`/adventures/${adventureId}/insights?turn=${action_id}#turn-${action_id}`}>
            The reply as it came
          </a>
        </p>
      ) : (
        <>
          <pre class="raw">{raw}</pre>
          {second_call ? (
            <>
              <p class="about">Asked for the changes, the narrator answered:</p>
              <pre class="raw">{second_call.answer}</pre>
            </>
          ) : null}
        </>
      )}
    </article>
  )
}

/** What came of a second call, and what it cost. */
function secondCallWords(call: SecondCall): string {
  const { why, prompt_tokens, completion_tokens, milliseconds } = call
  const tokens =
    prompt_tokens === null
      ? ''
      : `${amount(prompt_tokens)} tokens read, ${amount(completion_tokens ?? 0)} written, `
  const cost = `(Asking took ${tokens}${(milliseconds / 1_000).toFixed(1)} s.)`
  return why === '' ? cost : `Asked for its changes by themselves, it gave none that count. ${why} ${cost}`
}

function History({ history, turns }: { history: ValueHistory; turns: number[] }): Markup {
  const { label, path, points } = history
  const isNumeric = points.every((point) => typeof point.old === 'number' && typeof point.new === 'number')
  return (
    <section class="history">
      <h3>
        {label} <code>{path}</code>
      </h3>
      {isNumeric ? <Plot label={label} points={points} turns={turns} /> : null}
      <details open={!isNumeric}>
        <summary>
          {points.length === 1 ? '1 move' : `${points.length} moves`}
          {isNumeric ? ', as a table' : ''}
        </summary>
        <Table
          heads={['Passage', 'From', 'To', 'By']}
          rows={points.map((point) => [
            point.index,
            shown(point.old),
            shown(point.new),
            point.verdict === 'manual' ? 'you' : 'the narrator',
          ])}
        />
      </details>
    </section>
  )
}

const WIDTH = 600
const HEIGHT = 120
/** Room for the numbers at the left, and around the line. */
const LEFT = 60
const EDGE = 12

/** A line of steps through the passages: a mark at each move, and a tick for each turn. */
function Plot({ label, points, turns }: { label: string; points: Point[]; turns: number[] }): Markup {
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
      <text x={LEFT - 10} y={Number(y(high)) + 6} text-anchor="end">
        {amount(high)}
      </text>
      <text x={LEFT - 10} y={Number(y(low)) + 6} text-anchor="end">
        {amount(low)}
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

function round(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function shown(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return amount(value)
  return value === '' ? '—' : String(value)
}
