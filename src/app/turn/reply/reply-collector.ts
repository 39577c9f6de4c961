import type { Cut } from '../../../domain/action.ts'
import type { ReplyPart, Usage } from '../../../domain/model/model-request.ts'
import type { TurnEvents } from '../../runtime/turn-events.ts'
import { CollectedProse, type ExpectedReply } from './collected-prose.ts'
import type { StatusReporter } from './status-reporter.ts'
import type { UnusableReason } from './unusable-reply.ts'

/** A reply as it arrived, besides its prose. */
interface Received {
  /** Everything as the model wrote it. */
  raw: string
  reasoning: string
  /** The reason if it ended early. */
  cut: 'length' | 'stopped' | null
  /** Tokens as the server counted them. */
  usage: Usage | null
  /** Milliseconds from the request to the first part, and to the last. */
  timings: { first: number; total: number }
}

/**
 * Collects a streamed reply and shows its prose as it arrives. What is not prose is removed on the way, so that neither
 * the page nor the stored text ever contains it.
 */
export class ReplyCollector {
  readonly received: Received = {
    raw: '',
    reasoning: '',
    cut: null,
    usage: null,
    timings: { first: 0, total: 0 },
  }
  /** The error that broke it off; null when it is complete, or the player stopped it. */
  failure: unknown = null
  private prose: CollectedProse

  constructor(
    private readonly events: TurnEvents,
    private readonly expected: ExpectedReply,
  ) {
    this.prose = new CollectedProse(expected)
  }

  /** The prose as it was shown. */
  get text(): string {
    return this.prose.text
  }

  get cut(): Cut | null {
    const { cut } = this.received
    return cut === 'stopped' ? cut : (this.prose.cut ?? cut)
  }

  /** True if nothing that follows can be prose. */
  get isEnded(): boolean {
    return this.prose.isEnded
  }

  /** The reason why the reply is not worth a turn; null for a good one, and if nothing came. */
  get unusable(): UnusableReason | null {
    const { cut } = this
    return this.prose.unusable(cut !== 'stopped' && cut !== 'length')
  }

  /** True for a reply with nothing in it that could be kept. */
  get isWorthless(): boolean {
    return this.unusable !== null && this.unusable !== 'early'
  }

  add(part: ReplyPart, status: StatusReporter): void {
    const { received } = this
    switch (part.kind) {
      case 'phase':
        status.report(part.phase, part)
        this.takeProgress(part)
        break
      case 'thinking':
        status.report('thinking')
        received.reasoning += part.text
        this.events.push({ type: 'reasoning', text: part.text })
        break
      case 'raw':
        received.raw += part.text
        break
      case 'text':
        status.report('writing')
        this.show(this.prose.push(part.text))
        break
      case 'recast':
        received.reasoning += this.text
        this.prose = new CollectedProse(this.expected)
        this.events.push({ type: 'recast' })
        break
      case 'end':
        received.cut = part.cut
        received.usage = part.usage ?? received.usage
    }
  }

  /** The reply is complete: shows what was still held back, and cuts off what repeats. */
  end(): void {
    this.show(this.prose.end())
  }

  /** Progress reports are used in case the reply is stopped before the server sends its final usage. */
  private takeProgress({ total, cached }: { total?: number; cached?: number }): void {
    if (total === undefined || cached === undefined) return
    this.received.usage ??= { prompt_tokens: total, cached_tokens: cached, completion_tokens: null }
  }

  private show(text: string): void {
    if (text !== '') this.events.push({ type: 'chunk', text })
  }
}
