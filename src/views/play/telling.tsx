import type { LiveTurn } from '../../app/runtime/live-stories.ts'
import type { ProseLanguage } from '../../domain/text/language.ts'
import { formatEvent } from '../../http/stream.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { languageAttributes } from '../prose/prose.tsx'
import { StreamingProse } from '../prose/streaming-prose.tsx'
import { formatNumber } from '../ui/format-number.ts'
import { fragment } from '../ui/fragment.tsx'
import type { EndProps } from './page-props.ts'

/** The passage that is being written, as one page shows it: first whole, then what has been added since. */
export class Telling {
  private prose: StreamingProse
  private text = ''
  private reasoning = ''
  private beginnings: number
  private phase = ''

  constructor(
    readonly turn: LiveTurn,
    private readonly language: ProseLanguage,
  ) {
    this.prose = new StreamingProse(language.marks)
    this.beginnings = turn.beginnings
  }

  /** All of it so far. */
  passage(): Markup {
    this.text = this.turn.text
    this.reasoning = this.turn.reasoning
    this.prose.add(this.text)
    return (
      <article
        id="telling"
        class="narration telling"
        tabindex="-1"
        aria-busy="true"
        aria-labelledby="telling-heading"
        data-turn={String(this.turn.number)}
      >
        <h2 id="telling-heading" class="unseen">
          Narrator, writing now
        </h2>
        <details class="reasoning">
          <summary>The narrator is thinking</summary>
          <p id="thoughts">{this.reasoning}</p>
        </details>
        <div id="told" class="prose streaming" {...languageAttributes(this.language.language)}>
          {this.prose.soFar()}
        </div>
      </article>
    )
  }

  /** The events that add what is new. At the end of the turn, they also show what waited for more text. */
  more(isEnd = false): string {
    const { turn } = this
    const begun = turn.beginnings === this.beginnings ? '' : this.beginAgain()
    const [text, reasoning] = [turn.text.slice(this.text.length), turn.reasoning.slice(this.reasoning.length)]
    this.text += text
    this.reasoning += reasoning
    const thoughts = reasoning === '' ? '' : formatEvent(fragment('#thoughts', 'beforeend', reasoning))
    const status = isEnd ? '' : this.status()
    return begun + status + thoughts + (text === '' && !isEnd ? '' : this.prose.add(text, isEnd))
  }

  private beginAgain(): string {
    this.beginnings = this.turn.beginnings
    this.text = ''
    this.prose = new StreamingProse(this.language.marks)
    return formatEvent(fragment('#told', 'innerHTML', null))
  }

  // Screen readers announce a new phase, but not the seconds.
  private status(): string {
    const shown = [phaseOf(this.turn), waitOf(this.turn)]
    const [phase = '', waited = ''] = shown
    const key = shown.join('\n')
    if (key === this.phase) return ''
    const isNews = !this.phase.startsWith(`${phase}\n`)
    this.phase = key
    return formatEvent(
      (isNews ? fragment('#phase', 'innerHTML', phase) : '') + fragment('#waited', 'innerHTML', waited),
    )
  }
}

type Status = Pick<LiveTurn, 'status' | 'discarded' | 'text'>

/** What a turn is doing. */
export function phaseOf({ status, discarded, text }: Status): string {
  const isAskedAgain = discarded !== '' && text === '' && status?.phase === 'writing'
  return isAskedAgain ? discarded : PHASES[status?.phase ?? 'waiting']
}

/** How long it has taken, and the timeout. */
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

/** How the last turn ended, if the player should know: why it failed, with a button that tries again, or a notice. */
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
