import type { PromptDetails } from '../../app/prompt/prompt-view.ts'
import type { PartLabel } from '../../domain/prompt/notes.ts'
import { sumOf } from '../../lib/numbers.ts'
import { TriggeredCards } from '../cards/triggered-cards.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { formatNumber, secondsInWords } from '../ui/format-number.ts'
import { ScrollTable } from '../ui/scroll-table.tsx'
import { Table } from '../ui/table.tsx'
import { RecalledMemory, RecalledPassage } from './recalled.tsx'

const NAMES = {
  narrator: 'Narrator instructions',
  world_state_guide: 'Stats',
  ai_instructions: 'AI instructions',
  plot_essentials: 'Plot essentials',
  example_dialogue: 'Example dialogue',
  story_summary: 'Story summary',
  language: 'Language',
  length_hint: 'Response length',
  history: 'Story text',
  world_lore: 'Story cards',
  memories: 'Memories',
  authors_note: 'Author’s note',
  world_state: 'Current stats',
  roll: 'Dice',
  steering: 'Your note to the narrator',
  request: 'What to write next',
} satisfies Record<PartLabel, string>

/** With the labels in prompts that older versions stored. */
const ALL_NAMES: Record<string, string> = {
  ...NAMES,
  world_state_rule: 'Stat update rules',
  state_block: 'Recent stat updates',
  refusals: 'Rejected stat updates',
  world_state_reminder: 'Reminders',
}

function nameOfShed(part: string): string {
  return part === 'lore' ? 'story cards' : part
}

interface PromptViewProps {
  adventureId: number
  context: PromptDetails
  heading: string
}

export function PromptView({ adventureId, context, heading }: PromptViewProps): Markup {
  const { sections, tokens, history, cards, messages, passages } = context
  // Prompts stored before there were memories have none.
  const memories = Array.isArray(context.memories) ? context.memories : []
  const shed = Array.isArray(context.shed) ? context.shed : []
  const tokensOf = (some: PromptDetails['sections']) => sumOf(some.map(({ tokens }) => tokens))
  const total = Math.max(1, tokensOf(sections))
  const byLabel = [...Map.groupBy(sections, ({ label }) => label)]
    .map(([label, some]) => ({ label, tokens: tokensOf(some) }))
    .sort((one, other) => other.tokens - one.tokens)
  return (
    <section class="prompt-view">
      <h2>{heading}</h2>
      <p>
        About {formatNumber(tokens.total)} tokens
        {tokens.limit === undefined ? null : ` of ${formatNumber(tokens.limit)} available`}
        {METHODS[tokens.method ?? 'estimate']}. {formatNumber(history.included)} of{' '}
        {formatNumber(history.total)} passages included verbatim.
        {tokens.window
          ? ` The server reports a context size of ${formatNumber(tokens.window)} tokens (${tokens.window_from}).`
          : null}
      </p>
      <p>{usageWords(context)}</p>
      {shed.length > 0 ? <p>Left out, since there was no room: {shed.map(nameOfShed).join(', ')}.</p> : null}
      <ScrollTable of="Parts of the prompt">
        <Table
          look="shares"
          heads={['Part', 'Tokens', 'Share']}
          rows={byLabel.map((part) => [
            ALL_NAMES[part.label] ?? part.label,
            formatNumber(part.tokens),
            <meter
              min="0"
              max={String(total)}
              value={String(part.tokens)}
              aria-label={`Share of ${ALL_NAMES[part.label] ?? part.label}`}
            />,
          ])}
        />
      </ScrollTable>
      {cards.length > 0 ? (
        <>
          <h3>Triggered story cards</h3>
          <TriggeredCards cards={cards} />
        </>
      ) : null}
      {listed(
        'Memories used',
        memories.map((memory) => <RecalledMemory memory={memory} />),
      )}
      {listed(
        'Passages recalled',
        passages.map((passage) => <RecalledPassage adventureId={adventureId} passage={passage} />),
      )}
      <FullPrompt messages={messages} />
    </section>
  )
}

/** Null without items. */
function listed(title: string, items: readonly Markup[]): Markup | null {
  if (items.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {items.map((item) => (
          <li>{item}</li>
        ))}
      </ul>
    </>
  )
}

/** The messages exactly as they are sent. */
export function FullPrompt({ messages }: Pick<PromptDetails, 'messages'>): Markup {
  return (
    <details>
      <summary>Show full prompt</summary>
      {messages.map((message) => (
        <>
          <h4>{ROLES[message.role]}</h4>
          <pre class="raw">{message.text}</pre>
        </>
      ))}
    </details>
  )
}

/** The tokens that a server has to read, and its report about the call. */
function usageWords({ tokens, usage, timings }: PromptDetails): string {
  const whole = usage?.prompt_tokens ?? tokens.total
  const fresh = usage?.cached_tokens == null ? tokens.fresh : whole - usage.cached_tokens
  const response = usage?.completion_tokens
    ? `The response has ${formatNumber(usage.completion_tokens)} tokens. `
    : ''
  const took = timings?.total
    ? `First word after ${secondsInWords(timings.first)}, last after ${secondsInWords(timings.total)}.`
    : ''
  return (fresh === undefined ? '' : readWords(fresh, whole)) + response + took
}

function readWords(fresh: number, whole: number): string {
  const share = `${formatNumber(fresh)} of ${formatNumber(whole)} tokens`
  return fresh < whole / 2
    ? `Cached: only ${share} are new. `
    : `The server has to read ${share}. It reads most of a prompt for a new story, after a restart, another story or another model, when the oldest passages were dropped, and after a change to the plot, the summary or an older passage. `
}

const METHODS = {
  exact: ', counted by the server',
  calibrated: ', estimated from earlier server counts',
  estimate: '',
}

const ROLES = { system: 'System', user: 'User', assistant: 'Assistant' }
