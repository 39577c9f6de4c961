import type { LiveTurn } from '../../app/runtime/live-stories.ts'
import type { ProseLanguage } from '../../domain/text/language.ts'
import { proseSoFar } from '../../domain/text/prose-markup.ts'
import { addedContent, type Markup } from '../jsx/jsx-runtime.ts'
import { languageAttributes, proseBlocks } from '../prose/prose.tsx'
import { formatNumber } from '../ui/format-number.ts'
import { fragment } from '../ui/fragment.tsx'
import type { EndProps } from './page-props.ts'

const LAST = '#told > :last-child'

/** The passage that is being written, as one page shows it: first all of it so far, then what differs. */
export class Telling {
  readonly shown: Markup
  private blocks: Markup[]
  private reasoning: string
  private phase = ''
  private waited = ''

  constructor(
    readonly turn: LiveTurn,
    private readonly language: ProseLanguage,
  ) {
    this.reasoning = turn.reasoning
    this.blocks = this.blocksSoFar()
    this.shown = (
      <article
        id="telling"
        class="narration telling"
        tabindex="-1"
        aria-busy="true"
        aria-labelledby="telling-heading"
        data-turn={String(turn.number)}
      >
        <h2 id="telling-heading" class="unseen">
          Narrator, writing now
        </h2>
        <details class="reasoning">
          <summary>The narrator is thinking</summary>
          <p id="thoughts">{this.reasoning}</p>
        </details>
        <div id="told" class="prose streaming" {...languageAttributes(language.language)}>
          {this.blocks}
        </div>
      </article>
    )
  }

  more(): string {
    const thoughts = this.turn.reasoning.slice(this.reasoning.length)
    this.reasoning += thoughts
    return this.status() + (thoughts && fragment('#thoughts', 'beforeend', thoughts)) + this.moreProse()
  }

  private blocksSoFar(): Markup[] {
    const { marks } = this.language
    return proseBlocks(proseSoFar(this.turn.text, marks), marks)
  }

  /** Blocks that are finished stay as they are; the last one grows, or is replaced. */
  moreProse(): string {
    const [before, now] = [this.blocks, this.blocksSoFar()]
    this.blocks = now
    const same = now.findIndex((block, i) => block.html !== before[i]?.html)
    const first = same < 0 ? now.length : same
    const [last, next, ...rest] = [before[first], ...now.slice(first)]
    if (last === undefined) return next ? fragment('#told', 'beforeend', [next, rest]) : ''
    if (first < before.length - 1 || next === undefined) return fragment('#told', 'innerHTML', now)
    const added = addedContent(last, next)
    if (added === null) return fragment(LAST, 'outerHTML', [next, rest])
    return fragment(LAST, 'beforeend', added) + (rest.length > 0 ? fragment('#told', 'beforeend', rest) : '')
  }

  // Screen readers announce a new phase, but not the seconds.
  private status(): string {
    const [phase, waited] = [phaseOf(this.turn), waitOf(this.turn)]
    const shown =
      (phase === this.phase ? '' : fragment('#phase', 'innerHTML', phase)) +
      (waited === this.waited ? '' : fragment('#waited', 'innerHTML', waited))
    this.phase = phase
    this.waited = waited
    return shown
  }
}

type Status = Pick<LiveTurn, 'status' | 'discarded' | 'text'>

export function phaseOf({ status, discarded, text }: Status): string {
  const isAskedAgain = discarded !== '' && text === '' && status?.phase === 'writing'
  return isAskedAgain ? discarded : PHASES[status?.phase ?? 'waiting']
}

export function waitOf({ status }: Pick<Status, 'status'>): string {
  if (status === null || status.phase === 'writing') return ''
  const { phase, seconds, allowed, read, total } = status
  if (read !== undefined && total !== undefined)
    return ` ${formatNumber(read)} of ${formatNumber(total)} tokens, ${seconds} s.`
  // The timeout counts silence, and thinking is not silent.
  return phase === 'thinking' ? ` ${seconds} s.` : ` ${seconds} s (timeout: ${allowed} s).`
}

const PHASES = {
  waiting: 'Waiting for the model:',
  loading: 'Loading the model:',
  gone: 'The model server does not answer. Trying again:',
  reading: 'Processing the prompt:',
  thinking: 'The model is thinking:',
  writing: 'The narrator is writing.',
  recording: 'Updating stats and memories:',
}

/** The reason for a failure with a button that tries again, or a notice; null if the player need not know. */
export function OutcomeNotice({ outcome, end }: Pick<EndProps, 'outcome' | 'end'>): Markup | null {
  if (outcome === null) return null
  const { error, isRetry, notice } = outcome
  if (error === null) return <p>{notice}</p>
  const { detail, retryable, player_action_id } = error
  return (
    <>
      <p>{detail}</p>
      {/* The interrupted reply has a button of its own. */}
      {retryable && end.interrupted === null ? (
        <button
          type="submit"
          form="composer"
          name={isRetry || player_action_id !== null ? 'retry' : 'go_on'}
          value="1"
        >
          Retry
        </button>
      ) : null}
    </>
  )
}
