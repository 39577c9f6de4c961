import type { Context } from '../../app/context.ts'
import { amount } from '../ui/format-number.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Table } from '../ui/table.tsx'
import { Wide } from '../ui/scroll-table.tsx'

const NAMES: Record<string, string> = {
  narrator: "The narrator's instructions",
  world_state_guide: 'What is counted',
  world_state_rule: 'How changes are reported',
  ai_instructions: 'AI instructions',
  plot_essentials: 'Plot essentials',
  story_summary: 'The story so far',
  length_hint: 'Length',
  history: 'The story, word for word',
  world_lore: 'Story cards',
  memories: 'Memories',
  authors_note: "Author's note",
  world_state: 'How things stand',
  state_block: 'Reported changes',
  refusals: 'What was not accepted',
  world_state_reminder: 'Reminders',
}

const REASONS = {
  shown: 'told here',
  'already shown': 'told before, and still in sight',
  'no room': 'left out: no room',
  forbidden: 'kept out by one of its triggers',
}

const EPOCHS: Record<string, string> = {
  kept: 'The window begins where it began the turn before: a server reads only what is new.',
  begun: 'The window was chosen anew.',
  full: 'The window was full and has been cut.',
  changed: 'Something that stands in front of the story has changed, so all of it is read anew.',
}

/** A prompt in the open: what it is made of, what it costs, and every word of it. */
export function PromptView({ context, heading }: { context: Context; heading: string }): Markup {
  const { sections, tokens, history, cards, epoch, messages } = context
  // Prompts that are older than the memory bank list none.
  const memories = Array.isArray(context.memories) ? context.memories : []
  const total = Math.max(
    1,
    sections.reduce((sum, section) => sum + section.tokens, 0),
  )
  const byLabel = [...Map.groupBy(sections, ({ label }) => label)]
    .map(([label, some]) => ({ label, tokens: some.reduce((sum, section) => sum + section.tokens, 0) }))
    .sort((one, other) => other.tokens - one.tokens)
  return (
    <section class="prompt-view">
      <h2>{heading}</h2>
      <p>
        About {amount(tokens.total)} tokens
        {tokens.limit === undefined ? null : ` of ${amount(tokens.limit)} that are free for it`}
        {METHODS[tokens.method ?? 'estimate']}. {amount(history.included)} of {amount(history.total)} passages
        stand in it word for word. {epoch ? EPOCHS[epoch.reason] : null}
        {tokens.window
          ? ` The server says that the model takes in ${amount(tokens.window)} tokens (${tokens.window_from}).`
          : null}
      </p>
      <p>{readWords(context)}</p>
      <Wide of="Parts of the prompt">
        <Table
          look="shares"
          heads={['Part', 'Tokens', 'Share']}
          rows={byLabel.map((part) => [
            NAMES[part.label] ?? part.label,
            amount(part.tokens),
            <meter
              min="0"
              max={String(total)}
              value={String(part.tokens)}
              aria-label={`Share of ${NAMES[part.label] ?? part.label}`}
            />,
          ])}
        />
      </Wide>
      {cards.length > 0 ? (
        <>
          <h3>Story cards that were called up</h3>
          <ul>
            {cards.map((card) => (
              <li>
                {card.name || 'A card without a name'}, by “{card.keyword}”:{' '}
                {REASONS[card.reason] ?? (card.included ? 'told' : 'left out')}
                {card.tokens ? `, ${amount(card.tokens)} tokens` : null}
                {card.blocked ? ` (“${card.blocked}”)` : null}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {memories.length > 0 ? (
        <>
          <h3>What was remembered</h3>
          <ul>
            {memories.map((memory) => (
              <li>
                {memory.text}{' '}
                <span class="about">
                  {memory.pinned
                    ? 'pinned'
                    : memory.terms.length > 0
                      ? `by ${memory.terms.slice(0, 6).join(', ')}`
                      : ''}
                  {memory.reason === 'already told' ? ', still in sight' : null}
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <details>
        <summary>Every word of it</summary>
        {messages.map((message) => (
          <>
            <h4>{ROLES[message.role]}</h4>
            <pre class="raw">{message.text}</pre>
          </>
        ))}
      </details>
    </section>
  )
}

/** What a server could reuse, and what it says of the call. */
function readWords({ tokens, usage, timings }: Context): string {
  const fresh =
    tokens.fresh === undefined
      ? ''
      : `A server that keeps what it has read needs to read about ${amount(tokens.fresh)} tokens anew. `
  const cached = usage?.cached_tokens ? `, ${amount(usage.cached_tokens)} of them read before` : ''
  const counted = usage?.prompt_tokens
    ? `It counted ${amount(usage.prompt_tokens)} in the prompt${cached}`
    : ''
  const told = usage?.completion_tokens
    ? ` and ${amount(usage.completion_tokens)} in the reply. `
    : counted === ''
      ? ''
      : '. '
  const took = timings?.total
    ? `The first word came after ${seconds(timings.first)}, the last after ${seconds(timings.total)}.`
    : ''
  return fresh + counted + told + took
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`
}

const METHODS = {
  exact: ', as the server counted it',
  calibrated: ', by what the server counted before',
  estimate: '',
}

const ROLES = { system: 'To the model, before all', user: 'The player and notes', assistant: 'The narrator' }
