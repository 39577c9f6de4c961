import type { Insights } from '../../app/adventure/insights.ts'
import type { PromptDetails } from '../../app/prompt/prompt-view.ts'
import { worldChange } from '../../domain/action.ts'
import { changeWords, sentenceWords, verdictWords } from '../../domain/world/change-words.ts'
import type { RecorderCall } from '../../domain/world/delta-report.ts'
import type { Rules } from '../../domain/world/rules.ts'
import type { HistoryPoint, RecordedTurn, ValueHistory } from '../../domain/world/value-history.ts'
import { CostCharts } from '../charts/cost-charts.tsx'
import { ValueLine } from '../charts/value-line.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Page, WayBack } from '../layout.tsx'
import { Panel } from '../panels/panel.tsx'
import { countOf, formatNumber, secondsInWords } from '../ui/format-number.ts'
import { ScrollTable } from '../ui/scroll-table.tsx'
import { Table } from '../ui/table.tsx'
import { insightsUrl, storyUrl } from '../urls.ts'
import { PromptView } from './prompt-view.tsx'

export interface InsightsProps {
  adventureId: number
  title: string
  insights: Insights
  rules: Rules
  /** The turn shown in detail, with its reply as the model wrote it. */
  close?: { actionId: number; raw: string } | undefined
  /** The prompt of that turn, or of the next one; null if there is none. */
  prompt: PromptDetails | null
}

const LISTED = 30

export function InsightsPage({ adventureId, title, insights, rules, close, prompt }: InsightsProps): Markup {
  const turns = insights.turns.slice(0, LISTED)
  return (
    <Page title={`Insights: ${title}`} place="/">
      <div class="shelf insights">
        <WayBack href={storyUrl(adventureId)}>Back to the story</WayBack>
        <h1>{title}: Insights</h1>
        {prompt ? (
          <PromptView
            adventureId={adventureId}
            context={prompt}
            heading={close ? 'Prompt of this turn' : 'Next prompt'}
          />
        ) : null}
        <CostCharts costs={insights.costs} />
        <h2 id="history">Change history</h2>
        {insights.history.length === 0 ? <p class="about">Nothing has changed yet.</p> : null}
        <div class="histories">
          {insights.history.map((history) => (
            <History history={history} turns={insights.turns.map(({ index }) => index)} />
          ))}
        </div>
        <h2>Stat updates by turn</h2>
        {turns.length === 0 ? <p class="about">No turns yet.</p> : null}
        {turns.map((turn) => (
          <Turn
            adventureId={adventureId}
            turn={turn}
            rules={rules}
            raw={close?.actionId === turn.action_id ? close.raw : null}
          />
        ))}
      </div>
    </Page>
  )
}

/** The next prompt, in the panel beside the story. */
export function InsightsPanel({
  adventureId,
  prompt,
}: {
  adventureId: number
  prompt: PromptDetails | null
}): Markup {
  return (
    <Panel adventureId={adventureId} name="insights" title="Insights" class="insights">
      <p>
        <a class="way" href={insightsUrl(adventureId)}>
          Full insights
        </a>
      </p>
      {prompt ? <PromptView adventureId={adventureId} context={prompt} heading="Next prompt" /> : null}
    </Panel>
  )
}

const RECORDED: Record<string, string> = {
  whole: 'The narrator sent its stat updates.',
  cut: 'The stat updates were cut off; the complete ones count.',
  unread: 'The stat updates could not be read.',
  none: 'No stat changes were recorded.',
  asked: 'The recorder was asked for the stat changes.',
}

interface TurnProps {
  adventureId: number
  turn: RecordedTurn
  rules: Rules
  raw: string | null
}

function Turn({ adventureId, turn, rules, raw }: TurnProps): Markup {
  const { action_id, index, verdicts, delta, recorded, second_call } = turn
  const proposed = Object.keys(delta).length
  return (
    <article id={`turn-${action_id}`}>
      <h3>Passage {index}</h3>
      <p class="about">
        {recorded === null ? 'No record of its stat updates.' : (RECORDED[recorded] ?? '')}{' '}
        {second_call ? recorderWords(second_call) : ''}{' '}
        {verdicts.length === 0 && (recorded === 'whole' || recorded === 'asked')
          ? proposed === 0
            ? 'It asked for no changes.'
            : 'Nothing changed.'
          : ''}
      </p>
      {verdicts.length > 0 ? (
        <ScrollTable of={`Stat updates of passage ${index}`}>
          <Table
            heads={['Change', 'Path', 'Result', 'Told by']}
            rows={verdicts.map((verdict) => {
              const change = worldChange(verdict)
              return [
                changeWords(change, rules),
                <code>{verdict.path}</code>,
                verdictWords(change) || 'applied',
                change.because === undefined ? '' : sentenceWords(change.because),
              ]
            })}
          />
        </ScrollTable>
      ) : null}
      {raw === null ? (
        <p>
          <a class="way" href={insightsUrl(adventureId, action_id)}>
            Raw response
          </a>
        </p>
      ) : (
        <>
          <pre class="raw">{raw}</pre>
          {second_call ? (
            <>
              <p class="about">Response of the recorder:</p>
              <pre class="raw">{second_call.answer}</pre>
            </>
          ) : null}
        </>
      )}
    </article>
  )
}

function recorderWords(call: RecorderCall): string {
  const { why, prompt_tokens, completion_tokens, milliseconds } = call
  const tokens =
    prompt_tokens === null
      ? ''
      : `${formatNumber(prompt_tokens)} prompt tokens, ${formatNumber(completion_tokens ?? 0)} response tokens, `
  const cost = `(Recording took ${tokens}${secondsInWords(milliseconds)}.)`
  return why === '' ? cost : `${why} ${cost}`
}

function History({ history, turns }: { history: ValueHistory; turns: number[] }): Markup {
  const { label, path, points } = history
  const isNumeric = points.every((point) => typeof point.old === 'number' && typeof point.new === 'number')
  return (
    <section class="history">
      <h3>
        {label} <code>{path}</code>
      </h3>
      {isNumeric ? <ValueLine label={label} points={points} turns={turns} /> : null}
      <details open={!isNumeric}>
        <summary>
          {countOf(points.length, 'change')}
          {isNumeric ? ', as a table' : ''}
        </summary>
        <Table
          heads={['Passage', 'From', 'To', 'By', 'Told by']}
          rows={points.map((point) => [
            point.index,
            valueWords(point.old),
            valueWords(point.new),
            AUTHORS[point.verdict] ?? 'Narrator',
            point.because === undefined ? '' : sentenceWords(point.because),
          ])}
        />
      </details>
    </section>
  )
}

/** Authors of changes other than the narrator. */
const AUTHORS: Partial<Record<HistoryPoint['verdict'], string>> = { manual: 'You', rolled: 'The dice' }

function valueWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return formatNumber(value)
  return value === '' ? '—' : String(value)
}
