import type { Cut } from '../../../domain/action.ts'
import type { Echoes } from '../../../domain/reply/known-texts.ts'
import { LineFilter } from '../../../domain/reply/line-filter.ts'
import { type Repetition, RepetitionGuard } from '../../../domain/reply/repetition/repetition-guard.ts'
import { isInvisible } from '../../../lib/text.ts'
import { MAX_REPLY } from '../../../narrator/reply/read-reply.ts'
import type { UnusableReason } from './unusable-reply.ts'

/** Contents that are expected in a reply besides new prose, and its length. */
export interface ExpectedReply {
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

/** The prose in the text of a reply: without lines that are no story, and up to where it begins to repeat. */
export class CollectedProse {
  /** The prose so far. */
  text = ''
  private received = 0
  private repetition: Repetition | null = null
  private readonly lines: LineFilter
  private readonly guard: RepetitionGuard | null

  constructor(private readonly expected: ExpectedReply) {
    const { echoes, earlier } = expected
    this.lines = new LineFilter(echoes)
    const told = { passages: earlier ?? [], lines: echoes.playerLines, notes: echoes.notes ?? [] }
    this.guard = earlier && new RepetitionGuard(told)
  }

  /** True if nothing that follows can be prose, or there is no room for it. */
  get isEnded(): boolean {
    return this.lines.isEnded || this.repetition !== null || this.isFull
  }

  /** The reason if the prose ends before the reply does. */
  get cut(): Cut | null {
    if (this.repetition) return 'repeated'
    if (this.lines.isCut) return 'player'
    return this.isFull ? 'length' : null
  }

  /** The reason if the text is not worth a turn; null for a good one, and if nothing came. `isWhole`: the model has ended it. */
  unusable(isWhole: boolean): UnusableReason | null {
    const { text, lines, repetition } = this
    if (repetition && text === '') return repetition.of
    if (repetition) return new TextEncoder().encode(text).length < MIN_KEPT ? 'early' : null
    if (isInvisible(text)) return lines.hasBlock ? 'updates' : lines.hasDropped ? 'notes' : null
    return isWhole ? (this.guard?.toldAgain() ?? null) : null
  }

  /** Takes the next piece of the reply; returns the prose to show. */
  push(piece: string): string {
    this.received += piece.length
    return this.show(this.lines.push(piece))
  }

  /** Ends the reply; returns the prose that was held back. */
  end(): string {
    const shown = this.repetition ? '' : this.show(this.lines.end())
    this.repetition ??= this.guard?.end() ?? null
    if (this.repetition) this.text = this.text.slice(0, this.repetition.start)
    return shown
  }

  private get isFull(): boolean {
    return this.received >= Math.min(MAX_REPLY, LONGEST_TOKEN * this.expected.tokens)
  }

  private show(prose: string): string {
    this.text += prose
    this.repetition = this.guard?.push(prose) ?? null
    return this.repetition ? '' : prose
  }
}
