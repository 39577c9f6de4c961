import type { Cut } from '../../../domain/action.ts'
import type { ReplyPart, Usage } from '../../../domain/model/model-request.ts'
import type { Echoes } from '../../../domain/reply/known-texts.ts'
import { LineFilter } from '../../../domain/reply/line-filter.ts'
import { type Loop, LoopGuard } from '../../../domain/reply/repetition/loop-guard.ts'
import { toldBefore } from '../../../domain/reply/repetition/nothing-new.ts'
import { isInvisible } from '../../../lib/text.ts'
import { MAX_REPLY } from '../../../narrator/reply/read-reply.ts'
import type { TurnEvents } from '../turn-events.ts'
import type { StatusReporter } from './status-reporter.ts'
import type { UnusableReason } from './unusable-reply.ts'

/** What a reply may contain besides new prose. */
interface ExpectedReply {
  echoes: Echoes
  /** The passages that it must not repeat; null where repetition is allowed. */
  earlier: readonly string[] | null
  /** The tokens that were asked for at most; a server may ignore that. */
  tokens: number
}

/** A shorter good part of a reply that repeats is not worth a turn. In bytes, because denser scripts take more of them. */
const MIN_KEPT = 100
/** Characters of a token, at most: in prose it is four, and a stat block has no longer words. */
const LONGEST_TOKEN = 20

/**
 * Collects a streamed reply and shows its prose as it arrives. What is not prose is removed on the way, so that neither
 * the page nor the stored text ever contains it.
 */
export class ReplyCollector {
  /** The prose as it was shown. */
  text = ''
  /** Everything as the model wrote it. */
  raw = ''
  /** Characters of it that are neither thoughts nor marks. */
  private received = 0
  reasoning = ''
  cut: Cut | null = null
  /** Why it broke off; null when it is complete, or the player stopped it. */
  failure: unknown = null
  /** Tokens as the server counted them. */
  usage: Usage | null = null
  /** Milliseconds from the request to the first part, and to the last. */
  readonly timings = { first: 0, total: 0 }
  private lines: LineFilter
  private guard: LoopGuard | null
  private loop: Loop | null = null

  constructor(
    private readonly events: TurnEvents,
    private readonly expected: ExpectedReply,
  ) {
    this.lines = this.newLines()
    this.guard = this.newGuard()
  }

  /** Whether nothing that follows can be prose, or there is no room for it. */
  get isEnded(): boolean {
    return this.lines.isEnded || this.loop !== null || this.isFull
  }

  /** Why the reply is not worth a turn; null for a good one, and if nothing came. */
  get unusable(): UnusableReason | null {
    const { echoes, earlier } = this.expected
    if (this.loop?.keep === 0) return this.loop.kind === 'passage' ? 'passages' : 'itself'
    if (this.loop !== null && new TextEncoder().encode(this.text).length < MIN_KEPT) return 'early'
    if (isInvisible(this.text))
      return this.lines.hasBlock ? 'updates' : this.lines.hasDropped ? 'notes' : null
    if (earlier === null || this.cut === 'stopped' || this.cut === 'length') return null
    return toldBefore(this.text, { passages: earlier, lines: echoes.playerLines, notes: echoes.notes ?? [] })
  }

  /** True for a reply with nothing in it that could be kept. */
  get isWorthless(): boolean {
    return this.unusable !== null && this.unusable !== 'early'
  }

  add(part: ReplyPart, status: StatusReporter): void {
    switch (part.kind) {
      case 'phase':
        status.report(part.phase, part)
        this.takeProgress(part)
        break
      case 'thinking':
        status.report('thinking')
        this.reasoning += part.text
        this.events.push({ type: 'reasoning', text: part.text })
        break
      case 'raw':
        this.raw += part.text
        break
      case 'text':
        status.report('writing')
        this.received += part.text.length
        this.show(this.lines.push(part.text))
        if (this.isFull) this.cut = 'length'
        break
      case 'recast':
        this.recast()
        break
      case 'end':
        this.cut = part.cut
        this.usage = part.usage ?? this.usage
    }
  }

  /** The reply is complete: shows what was still held back, and cuts off what repeats. */
  end(): void {
    if (this.loop === null) this.show(this.lines.end())
    if (this.lines.isCut) this.cut = 'player'
    this.loop ??= this.guard?.end() ?? null
    if (this.loop === null) return
    this.text = this.text.slice(0, this.loop.keep)
    this.cut = 'repeated'
  }

  private get isFull(): boolean {
    return this.received >= Math.min(MAX_REPLY, LONGEST_TOKEN * this.expected.tokens)
  }

  /** Progress reports are used in case the reply is stopped before the server sends its final usage. */
  private takeProgress({ total, cached }: { total?: number; cached?: number }): void {
    if (total === undefined || cached === undefined) return
    this.usage ??= { prompt_tokens: total, cached_tokens: cached, completion_tokens: null }
  }

  /** All text so far was reasoning. */
  private recast(): void {
    this.reasoning += this.text
    this.received = 0
    this.text = ''
    this.lines = this.newLines()
    this.guard = this.newGuard()
    this.events.push({ type: 'recast' })
  }

  private show(text: string): void {
    if (text === '') return
    this.text += text
    this.loop = this.guard?.push(text) ?? null
    if (this.loop === null) this.events.push({ type: 'chunk', text })
  }

  private newLines(): LineFilter {
    return new LineFilter(this.expected.echoes)
  }

  private newGuard(): LoopGuard | null {
    const { earlier } = this.expected
    return earlier && new LoopGuard(earlier)
  }
}
