import type { Cut } from '../../../domain/action.ts'
import type { ReplyPart, Usage } from '../../../domain/model/model-request.ts'
import type { Echoes } from '../../../domain/reply/echo-filter.ts'
import { type Loop, LoopGuard } from '../../../domain/reply/loops/loop-guard.ts'
import { ReplyCleaner } from '../../../domain/reply/reply-cleaner.ts'
import { onlyRepeats, onlySaysBack } from '../../../domain/reply/said-back.ts'
import type { PathResolver } from '../../../domain/world/block/path-resolver.ts'
import { isInvisible } from '../../../lib/text.ts'
import { MAX_REPLY } from '../../../narrator/reply/read-reply.ts'
import type { TurnEvents } from '../turn-events.ts'
import type { StatusReporter } from './status-reporter.ts'

/** What a reply may contain besides new prose. */
interface ExpectedReply {
  /** The paths of its stats; null in a story without stats. */
  paths: PathResolver | null
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
  reasoning = ''
  cut: Cut | null = null
  /** Why it broke off; null when it is complete, or the player stopped it. */
  failure: unknown = null
  /** Tokens as the server counted them. */
  usage: Usage | null = null
  /** Milliseconds from the request to the first part, and to the last. */
  readonly timings = { first: 0, total: 0 }
  private cleaner: ReplyCleaner
  private guard: LoopGuard | null
  private loop: Loop | null = null

  constructor(
    private readonly events: TurnEvents,
    private readonly expected: ExpectedReply,
  ) {
    this.cleaner = this.newCleaner()
    this.guard = this.newGuard()
  }

  /** Whether stat updates came, which no narrator is asked for. */
  get isOnlyStats(): boolean {
    return this.cleaner.blocks.length > 0
  }

  /** Whether nothing that follows can be prose, or there is no room for it. */
  get isEnded(): boolean {
    return this.cleaner.isEnded || this.loop !== null || this.isFull
  }

  /** Whether more than state blocks was removed. */
  get cleaned(): boolean {
    return this.cleaner.hasCleaned || this.loop !== null
  }

  /** Whether it repeats itself or an earlier passage, and nothing before that is good. */
  get isOnlyRepetition(): boolean {
    return this.loop?.keep === 0
  }

  /** What the model wrote instead of anything good, and whether it only repeated; null if something is good, or if nothing came. */
  get insteadOfText(): { words: string; isRepetition: boolean } | null {
    const { echoes, earlier } = this.expected
    const repeated = (words: string) => ({ words, isRepetition: true })
    const other = (words: string) => ({ words, isRepetition: false })
    if (this.isOnlyRepetition) return repeated('only repeated itself')
    if (this.loop !== null && new TextEncoder().encode(this.text).length < MIN_KEPT)
      return repeated('began to repeat itself too soon')
    if (earlier !== null && this.cut === null) {
      if (onlySaysBack(this.text, echoes.playerLines, earlier)) return repeated('only repeated your line')
      if (onlyRepeats(this.text, earlier)) return repeated('only repeated earlier passages')
    }
    if (!isInvisible(this.text)) return null
    if (this.isOnlyStats) return other('sent only stat updates')
    return this.cleaned ? other('only repeated what it had been told') : null
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
      case 'text':
        status.report('writing')
        this.raw += part.text
        this.show(this.cleaner.push(part.text))
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
    if (this.loop === null) this.show(this.cleaner.end())
    this.loop ??= this.guard?.end() ?? null
    if (this.loop === null) return
    this.text = this.text.slice(0, this.loop.keep)
    this.cut = 'repeated'
  }

  private get isFull(): boolean {
    return this.raw.length >= Math.min(MAX_REPLY, LONGEST_TOKEN * this.expected.tokens)
  }

  /** Progress reports are used in case the reply is stopped before the server sends its final usage. */
  private takeProgress({ total, cached }: { total?: number; cached?: number }): void {
    if (total === undefined || cached === undefined) return
    this.usage ??= { prompt_tokens: total, cached_tokens: cached, completion_tokens: null }
  }

  /** All text so far was reasoning. */
  private recast(): void {
    this.reasoning += this.raw
    this.raw = ''
    this.text = ''
    this.cleaner = this.newCleaner()
    this.guard = this.newGuard()
    this.events.push({ type: 'recast' })
  }

  private show(text: string): void {
    if (text === '') return
    this.text += text
    this.loop = this.guard?.push(text) ?? null
    if (this.loop === null) this.events.push({ type: 'chunk', text })
  }

  private newCleaner(): ReplyCleaner {
    const { paths, echoes } = this.expected
    return new ReplyCleaner(paths, echoes)
  }

  private newGuard(): LoopGuard | null {
    const { earlier } = this.expected
    return earlier && new LoopGuard(earlier)
  }
}
