import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Endpoint, Piece, Telling, WaitPhase } from '../domain/telling.ts'
import { askFor } from './ask.ts'
import { bodyText } from './body-text.ts'
import { LineFault } from './line-fault.ts'
import { readPieces } from './stream.ts'
import type { Answer } from './transport.ts'
import { asTurnError, loadingTooLong, refusedAnswer } from './turn-errors.ts'
import { isSuccess, type NarratorOptions, type Wire } from './wire.ts'

/** One call of the narrator: asks until the server is ready, then reads its reply. Good for one `pieces()`. */
export class Call {
  private phase: WaitPhase | null = null
  private streams = true
  private readonly end = new AbortController()
  private readonly signal: AbortSignal
  private readonly deadline: number

  constructor(
    private readonly wire: Wire,
    private readonly endpoint: Endpoint,
    private readonly telling: Telling,
    private readonly outer: AbortSignal,
    private readonly options: NarratorOptions,
  ) {
    this.signal = AbortSignal.any([outer, this.end.signal])
    this.deadline = performance.now() + endpoint.read_timeout_seconds * 1_000
  }

  /** Throws provider_error, timeout, or the reason of the outer signal. The line is cut on every way out. */
  async *pieces(): AsyncGenerator<Piece> {
    try {
      this.outer.throwIfAborted()
      yield* this.enter('waiting')
      yield* this.reply(yield* this.answer())
    } catch (error) {
      this.outer.throwIfAborted()
      throw asTurnError(error, this.endpoint)
    } finally {
      this.end.abort()
    }
  }

  // Goes on asking while the server loads (specification 6.6).
  private async *answer(): AsyncGenerator<Piece, Answer> {
    for (;;) {
      const attempt = this.attempt()
      if (this.phase === 'loading' && (await attempt.isAcceptedInSilence())) yield* this.enter('waiting')
      const answer = await attempt.answer
      const outcome = await this.outcomeOf(answer)
      if (outcome !== 'loading' && outcome !== 'again') return outcome
      if (outcome === 'again') continue
      yield* this.enter('loading')
      await this.rest()
    }
  }

  private attempt() {
    const connected = Promise.withResolvers<void>()
    const answer = this.ask(connected.resolve)
    const silence = async () => {
      await connected.promise
      return setTimeout((this.options.patience ?? 0.5) * 1_000, true, { ref: false })
    }
    return { answer, isAcceptedInSilence: () => Promise.race([settled(answer, false), silence()]) }
  }

  // A server that has answered before and is gone comes back: some open their port only when the model is loaded.
  private async ask(onConnect: () => void): Promise<Answer | null> {
    try {
      return await this.wire.ask(this.endpoint, askFor(this.telling, this.streams), this.signal, onConnect)
    } catch (error) {
      if (error instanceof LineFault && error.kind === 'refused' && this.wire.hasMet(this.endpoint))
        return null
      throw error
    }
  }

  private async outcomeOf(answer: Answer | null): Promise<Answer | 'loading' | 'again'> {
    if (answer === null) return 'loading'
    if (isSuccess(answer)) return answer
    const body = await bodyText(answer.body)
    if (answer.status === 503) return 'loading'
    if (!this.streams || !deniesStreams(answer.status, body))
      throw refusedAnswer(answer, body, this.endpoint, this.telling)
    this.streams = false
    return 'again'
  }

  private async rest(): Promise<void> {
    const left = this.deadline - performance.now()
    if (left <= 0) throw loadingTooLong(this.endpoint)
    const retryEvery = (this.options.retryEvery ?? 1) * 1_000
    await setTimeout(Math.min(left, retryEvery), undefined, { signal: this.signal })
  }

  private async *reply(answer: Answer): AsyncGenerator<Piece> {
    const pieces = readPieces(answer.body)
    const first = pieces.next()
    if (!(await Promise.race([settled(first, true), setImmediate(false)]))) yield* this.enter('reading')
    for (let next = await first; !next.done; next = await pieces.next()) {
      this.outer.throwIfAborted()
      yield next.value
    }
  }

  private *enter(phase: WaitPhase): Generator<Piece> {
    if (phase !== this.phase) yield { kind: 'phase', phase }
    this.phase = phase
  }
}

function settled<T>(promise: Promise<unknown>, as: T): Promise<T> {
  return promise.then(
    () => as,
    () => as,
  )
}

// Some servers answer only as a whole, and say so when they are asked for pieces.
function deniesStreams(status: number, body: string): boolean {
  return (
    status >= 400 &&
    status < 500 &&
    /stream/i.test(body) &&
    /not (yet )?(supported|implemented)|unsupported/i.test(body)
  )
}
